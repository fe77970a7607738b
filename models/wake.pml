/* Sleeping and waking: need, sequence, the second look. Writers and sleepers are killed before any step.
 * `words` are the records committed so far. A sleep without a time-out must always end (the bound of the sleep is modelled
 * as the only way out for those whose waker was killed between commit and wake: `killed`).
 *
 * Broken variants, each of which must fail (a sleeper that nobody wakes: invalid end state):
 *   NO_SECOND_LOOK  the word is not read again after need was stored
 *   LOOK_FIRST      the second look comes before need is stored
 *   SEQUENCE_LATE   sequence is read after need was stored: a waker that takes need back for a commit which the sleeper
 *                   has seen raises sequence in between, and the sleeper sleeps with need = 0 (the first design)
 *   SEQUENCE_LAST   sequence is read after the second look
 *   NEED_FIRST      the writer reads need before it commits
 *   NO_SEQUENCE     the waker wakes without raising sequence: the kernel puts to sleep who has not yet slept
 *   PLAIN           store and load of a sleeper may pass each other (a store buffer): need is not S */
#define RECORDS(l) ((l)==0 -> 1 : 2)
#define ALL 3
byte words, seq, asleep[2], done;             /* asleep: 1 sleeping in the kernel */
bit need; bool killed, wdead, rdead, out[2];

inline wakeAll() { d_step { asleep[0]=0; asleep[1]=0 } }

proctype writer(byte l) { byte r; bit n;
  { do
    :: r<RECORDS(l) ->
#ifdef NEED_FIRST
       n=need;
#endif
       words=words+1;                         /* the commit (all steps are sequentially consistent) */
#ifndef NEED_FIRST
       n=need;
#endif
       if
       :: n -> atomic { if :: need -> need=0; n=1 :: else -> n=0 fi };
          if
          :: n ->
#ifndef NO_SEQUENCE
             seq=seq+1;
#endif
             wakeAll()
          :: else
          fi
       :: else
       fi;
       atomic { r++; n=0 }
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
       need=1;
#endif
#ifdef SEQUENCE_LATE
       s=seq;
#endif
#if !defined(NO_SECOND_LOOK) && !defined(LOOK_FIRST)
       if :: words!=at ->
#ifdef PLAIN
          need=1;
#endif
          goto again :: else fi;
#endif
#ifdef PLAIN
       need=1;                                /* leaves the store buffer only now */
#endif
#ifdef SEQUENCE_LAST
       s=seq;
#endif
       atomic { if :: seq==s -> asleep[id]=1 :: else fi };     /* the kernel compares and sleeps in one step */
       atomic { (!asleep[id] || killed) -> asleep[id]=0 }
again: s=0
    od; out[id]=1 } unless { id==1 && rdead } }

proctype killer() {
  if
  :: atomic { done<2 -> wdead=1; killed=1 }
  :: rdead=1
  :: skip
  fi }

init { atomic { run writer(0); run writer(1); run sleeper(0); run sleeper(1); run killer() } }
