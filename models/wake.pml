/* Sleeping and waking: need, sequence, the second look. Writers and sleepers are killed before any step.
 * `words` are the records committed so far, `last` who committed the last one. need is 0, or one more than the sequence
 * that somebody sleeps on. A sleep without a time-out must always end; its bound is the way out only where nothing is
 * missed, or where who committed last was killed before it had woken anybody.
 *
 * Broken variants, each of which must fail (a sleeper that nobody wakes: invalid end state):
 *   NO_SECOND_LOOK  the word is not read again after need was stored
 *   LOOK_FIRST      the second look comes before need is stored
 *   SEQUENCE_LATE   sequence is read after need was stored: a waker that takes need back for a commit which the sleeper
 *                   has seen raises sequence in between, and the sleeper sleeps with need = 0 (the first design)
 *   SEQUENCE_LAST   sequence is read after the second look
 *   NEED_FIRST      the writer reads need before it commits
 *   NO_SEQUENCE     the waker wakes without raising sequence: the kernel puts to sleep who has not yet slept
 *   CLEAR_FIRST     the waker takes need back before it wakes: killed in between, it leaves sleepers whom the commits of
 *                   others do not wake (the second design)
 *   CLEAR_BLIND     the waker takes back what another sleeper has stored since
 *   LOWER           a sleeper that is late lowers need, and a waker that knows of him alone takes it back
 *   PLAIN           store and load of a sleeper may pass each other (a store buffer): need is not S */
#define RECORDS(l) ((l)==0 -> 1 : 2)
#define ALL 3
byte words, seq, asleep[2], done;             /* asleep: 1 sleeping in the kernel */
byte need, last; bool killed, wdead, rdead, out[2];

inline wakeAll() { d_step { asleep[0]=0; asleep[1]=0 } }

inline announce() {
#ifdef LOWER
  need=s+1
#else
  d_step { if :: need<s+1 -> need=s+1 :: else fi }
#endif
}

inline takeBack() {
#ifdef CLEAR_BLIND
  need=0
#else
  d_step { if :: need==n -> need=0 :: else fi }
#endif
}

proctype writer(byte l) { byte r, n;
  { do
    :: r<RECORDS(l) ->
#ifdef NEED_FIRST
       n=need;
#endif
       d_step { words=words+1; last=l };      /* the commit (all steps are sequentially consistent) */
#ifndef NEED_FIRST
       n=need;
#endif
       if
       :: n ->
#ifdef CLEAR_FIRST
          atomic { if :: need==n -> need=0 :: else -> n=0 fi };
          if :: n==0 -> goto next :: else fi;
#endif
#ifndef NO_SEQUENCE
          seq=seq+1;
#endif
          wakeAll();
          takeBack();
       :: else
       fi;
next:  atomic { r++; n=0 }
    :: else -> break
    od; atomic { done++; r=0; n=0 } } unless { l==0 && wdead } }

/* a sleeper has read up to `at`, and is to read all that will come */
proctype sleeper(byte id) { byte at, s;
  { do
    :: at==ALL || (killed && wdead && at==words && done==1) -> break
    :: at<words -> at=words
    :: else ->
#ifdef LOOK_FIRST
       if :: words!=at -> goto again :: else fi;
#endif
#if !defined(SEQUENCE_LATE) && !defined(SEQUENCE_LAST)
       s=seq;
#endif
#ifndef PLAIN
       announce();
#endif
#ifdef SEQUENCE_LATE
       s=seq;
#endif
#if !defined(NO_SECOND_LOOK) && !defined(LOOK_FIRST)
       if :: words!=at ->
#ifdef PLAIN
          announce();
#endif
          goto again :: else fi;
#endif
#ifdef PLAIN
       announce();                            /* leaves the store buffer only now */
#endif
#ifdef SEQUENCE_LAST
       s=seq;
#endif
       atomic { if :: seq==s -> asleep[id]=1 :: else fi };     /* the kernel compares and sleeps in one step */
       atomic { (!asleep[id] || (wdead && done==1 && (at==words || last==0))) -> asleep[id]=0 }
again: s=0
    od; out[id]=1 } unless { id==1 && rdead } }

proctype killer() {
  if
  :: atomic { done<2 -> wdead=1; killed=1 }
  :: rdead=1
  :: skip
  fi }

init { atomic { run writer(0); run writer(1); run sleeper(0); run sleeper(1); run killer() } }
