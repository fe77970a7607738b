/* An appender confined to one thread, and those that visit it (a closer, the background): never two inside.
 * The thread stores `inside` and then loads `owner`, without a barrier: its store waits in a buffer (`late`) and reaches the
 * others at any later time. A visitor takes `owner` by a compare-and-set, makes all threads pass a barrier, and loads `inside`.
 *
 * Broken variants, each of which must fail:
 *   NO_BARRIER      the visitor relies on its own compare-and-set
 *   BARRIER_FIRST   the barrier comes before the visitor takes `owner`
 *   LOOK_FIRST      the thread loads `owner` before it stores `inside` (a compiler that changes their order)
 *   NO_WAIT         who closes does not wait for the thread inside
 *   CLOSED_FIRST    it is marked as closed before the thread has left: another closer does not wait */
#define NONE 0
#define CLOSED 9
byte owner; bool inside, late, gone, working, visiting, unmapped;

/* The handshake: the thread is between two of its steps, and its stores are done. */
inline barrier() { d_step { if :: late -> inside=true; late=false :: else fi } }

active proctype drain() { do :: d_step { late -> inside=true; late=false } :: gone -> break od }

active proctype thread() { byte n, o;
  do
  :: n<3 -> n++;
#ifdef LOOK_FIRST
     o=owner; late=true;
#else
     late=true; o=owner;
#endif
     if
     :: o==NONE -> working=1; assert(!visiting && !unmapped); working=0
     :: else
     fi;
     d_step { late=false; inside=false };      /* release: after all that came before, in the order of the buffer */
     if :: o==CLOSED -> break :: else fi
  :: else -> break
  od;
  gone=true }

proctype visitor(byte me; bool closes) {
#ifdef BARRIER_FIRST
  barrier();
#endif
again:
  if
  :: d_step { owner==NONE -> owner=me }
  :: closes && owner==CLOSED -> goto closed
  :: !closes && owner!=NONE -> goto done
  fi;
#ifdef CLOSED_FIRST
  if :: closes -> owner=CLOSED :: else fi;
#endif
#ifndef NO_BARRIER
#ifndef BARRIER_FIRST
  barrier();
#endif
#endif
  if
  :: closes ->
#ifndef NO_WAIT
     !inside;
#endif
     owner=CLOSED
  :: !closes && !inside -> assert(!visiting); visiting=1; assert(!working); visiting=0; owner=NONE; goto done
  :: !closes && inside -> owner=NONE; goto done
  fi;
closed:
  assert(!visiting && !working); unmapped=1;
done:
  skip }

init { atomic { run visitor(1, true); run visitor(2, true); run visitor(3, false) } }
