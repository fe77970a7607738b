/* Appending in one segment: claim, commit, batch, END and its room, abandoned and dead claims, reading.
 *
 * A unit of mem[] is 8 bytes: a word, or a payload that imitates a COMMITTED word. Three process lives: 0 and 1 from the
 * start, in the slots 0 and 1, and 2, which registers once life 0 is dead: in its slot 0, or, while somebody is judging
 * life 0, in slot 2. It shares the LIVE byte of the slot and raises the generation (gen), then takes the byte alone.
 * A word is state * 1000 + units * 100 + life * 10 + number of the record.
 * Life 0 appends a batch of two records by one claim; life 1 a record of two units and one of one unit; life 2 one record.
 * Kills come before any step (unless). The kernel frees LIVE after the last store of the dead.
 * With STOPS there are two readers and no life 1; the first reader stops for ever anywhere in a judgement, or life 2 in its
 * registration (end: a process may stay there), and the other reader must come to the end all the same.
 *
 * Broken variants, each of which must fail:
 *   CLAIM_STORE   the claim is a store, not a compare-and-set            a record is lost
 *   COMMIT_FIRST  the word becomes COMMITTED before the payload is there torn
 *   BATCH_FIRST   a batch's outer word is replaced before its inner ones a payload is taken for a word
 *   NO_ROOM       no room is kept for END: a record may end at the limit END does not fit: the chain runs out
 *   PASS_RESERVED a reader goes over RESERVED                            a returned record is delivered to nobody
 *   NO_RESOLVE    nobody resolves the claims of the dead                 blocked for ever
 *   NO_GENERATION a slot that is taken again counts as its old owner     blocked for ever
 *   NO_ABANDON    a writer that fails leaves its claim, and lives on      blocked for ever
 *   RAISE_BLIND   a newcomer raises a generation, whoever holds the byte a live owner is judged dead
 *   EXCLUSIVE     (STOPS) who judges holds the LIVE byte alone            blocked for ever by a reader that is stopped
 *   LOCK_FIRST    (STOPS) a newcomer takes the byte, then raises          blocked for ever by a newcomer that is stopped
 *   NO_PROBE with COMMIT_STORE  a claim is resolved after a time-out, its owner unasked, who then commits by a store
 * and one that must hold: NO_PROBE alone (the commit is a compare-and-set; the writer learns that it was judged dead). */
#ifdef NO_ROOM
#define ROOM 0
#else
#define ROOM 2
#endif
#define LIMIT (7+ROOM)
#ifdef STOPS
#define READERS 2
#define MAY_STOP(where,who,mark) if :: who -> mark; where: false :: skip fi
#else
#define MAY_STOP(where,who,mark) skip
#endif
#ifndef READERS
#define READERS 1
#endif
#define FREE 0
#define END 3999
#define ST(x) ((x)/1000)
#define SZ(x) (((x)%1000)/100)
#define LIFE(x) (((x)%100)/10)
#define NR(x) ((x)%10)
#define RES(u,l,r) (1000+100*(u)+10*(l)+(r))
#define COM(u,l,r) (2000+100*(u)+10*(l)+(r))
#define PAD(u) (3000+100*(u))
#define PAY(l,r) (2190+(r))                  /* a COMMITTED word of one unit, of a life that does not exist */
#define SLOT(l) ((l)==2 -> slot2 : (l))
#define GENERATION(l) ((l)==2)
#define OVER(l) (done[l] || dead[l])

#ifdef EXCLUSIVE
#define OBTAINABLE(s) (!live[s] && !judges[s])
#else
#define OBTAINABLE(s) (!live[s])
#endif
#ifdef NO_GENERATION
#define SUCCEEDED(l) false
#else
#define SUCCEEDED(l) (gen[SLOT(l)]!=GENERATION(l))
#endif
#ifdef NO_PROBE
#define RESOLVABLE(l) true
#else
#define RESOLVABLE(l) (SUCCEEDED(l) || OBTAINABLE(SLOT(l)))
#endif

short mem[LIMIT];
byte hint, acked[3];                          /* ghost acked: bit r: the append of record r has returned */
bool dead[3], done[3], live[3], gen[3];       /* of a life; of a slot, live: somebody holds its LIVE byte alone */
byte judges[3], slot2; bool parked;           /* judges: how many share the LIVE byte of a slot; parked: life 2 has stopped */

inline cas(t,o,n) { atomic { if :: mem[t]==o -> mem[t]=n; ok=1 :: else -> ok=0 fi } }

/* life 2 takes a slot, if it ever comes; nobody else registers meanwhile (GATE) */
inline register() {
  MAY_STOP(endNever,true,parked=1);
#ifdef LOCK_FIRST
  endDead: atomic { (dead[0] && !live[0]);
    if :: !judges[0] -> live[0]=1 :: else -> slot2=2; live[2]=1 fi };
  MAY_STOP(endTaken,true,parked=1);
  gen[slot2]=1
#else
#ifdef RAISE_BLIND
  gen[0]=1;
#else
  endDead: atomic { (dead[0] && !live[0]) -> gen[0]=1 };     /* it shares the byte, raises, gives the byte back */
#endif
  MAY_STOP(endRaised,true,parked=1);
  atomic { if :: !live[0] && !judges[0] -> live[0]=1 :: else -> slot2=2; gen[2]=1; live[2]=1 fi }
#endif
}

proctype writer(byte l) { byte t, n, r; short x; bool ok, ended;
  { if
    :: l==2 -> register()
    :: else
    fi;
    do
    :: r<(l==1 -> 2 : 1) ->
       d_step { n=(l==0 -> 4 : (l==1 && r==0 -> 2 : 1)); t=hint; ended=0 };
       do
       :: x=mem[t];
          if
          :: x==END -> ended=1; break
          :: atomic { x!=FREE && x!=END -> t=t+SZ(x); x=0 };
             assert(t<LIMIT)                  /* a chain that has not ended has a word */
          :: x==FREE && t+n>LIMIT-ROOM -> cas(t,FREE,END)
          :: x==FREE && t+n<=LIMIT-ROOM ->
#ifdef CLAIM_STORE
             mem[t]=RES(n,l,r); ok=1;
#else
             cas(t,FREE,RES(n,l,r));
#endif
             if :: ok -> break :: else fi
          fi
       od;
       if :: ended -> break :: else fi;
       hint=t+n;                              /* a store, late or early: a hint */
       if
       :: l==0 ->                             /* a batch: | outer | payload | inner word | payload | */
#ifdef BATCH_FIRST
          cas(t,RES(4,0,0),COM(2,0,0));
#endif
          d_step { mem[t+1]=PAY(0,0); mem[t+2]=COM(2,0,1); mem[t+3]=PAY(0,1) };   /* seen by nobody yet: one step */
#ifndef BATCH_FIRST
          cas(t,RES(4,0,0),COM(2,0,0));
#endif
          if :: ok -> acked[0]=3 :: else fi
       :: l!=0 && n==2 ->
          if
          :: skip ->
#ifdef COMMIT_FIRST
             cas(t,RES(2,l,r),COM(2,l,r)); mem[t+1]=PAY(l,r);
#else
             mem[t+1]=PAY(l,r);
#ifdef COMMIT_STORE
             mem[t]=COM(2,l,r); ok=1;
#else
             cas(t,RES(2,l,r),COM(2,l,r));
#endif
#endif
             if :: ok -> acked[l]=acked[l]|(1<<r) :: else fi
          :: skip -> mem[t+1]=PAY(l,r);       /* the writer's own code throws */
#ifndef NO_ABANDON
             cas(t,RES(2,l,r),PAD(2))
#endif
          fi
       :: else -> cas(t,RES(1,l,r),COM(1,l,r)); if :: ok -> acked[l]=acked[l]|(1<<r) :: else fi
       fi;
       atomic { r++; t=0; n=0; x=0; ok=0 }
    :: else -> break
    od;
    atomic { done[l]=1; t=0; n=0; x=0; r=0; ok=0; ended=0 } } unless { dead[l] } }

proctype killer() {                           /* life 0 may be killed; its LIVE byte is freed later */
  if
  :: atomic { !done[0] -> dead[0]=1 }; live[0]=0
  :: skip
  fi }

/* RESERVED by a life whose slot has another generation, or whose LIVE byte can be shared, is resolved */
inline resolve(id,p,x) { s=SLOT(LIFE(x)); j=0;
#ifdef NO_PROBE
  j=1;
#else
  if
  :: SUCCEEDED(LIFE(x)) -> j=1
  :: else -> atomic { if :: OBTAINABLE(s) -> judges[s]++; j=2 :: else fi }
  fi;
  assert(!j || dead[LIFE(x)] || mem[p]!=x);   /* the living are never judged dead, but for what they have left behind */
#endif
  if
  :: j -> MAY_STOP(endJudged,id==0,skip); cas(p,x,PAD(SZ(x)))
  :: else
  fi;
  MAY_STOP(endSettled,id==0 && j,skip);
  atomic { if :: j==2 -> judges[s]-- :: else fi; j=0; s=0; ok=0 } }

byte seen[2*3]; byte readers;
proctype reader(byte id) { byte p, s, j; short x; bool ok;
  do
  :: assert(p<LIMIT); x=mem[p];
     if
     :: x==FREE -> if :: OVER(0) && OVER(1) && (done[2] || !dead[0] || parked) && mem[p]==FREE -> break
                      :: mem[p]!=FREE fi
     :: x==END -> break
     :: ST(x)==1 ->
#ifdef PASS_RESERVED
        p=p+SZ(x)
#else
#ifdef NO_RESOLVE
        (mem[p]!=x)
#else
        (mem[p]!=x || RESOLVABLE(LIFE(x)));  /* it tries again and again; in the model, when that may do something */
        if :: mem[p]==x -> resolve(id,p,x) :: else fi; x=0
#endif
#endif
     :: ST(x)==2 -> d_step {
          assert(LIFE(x)<3);                                  /* a payload is never taken for a word */
          assert(SZ(x)<2 || mem[p+1]==PAY(LIFE(x),NR(x)));    /* nothing torn */
          assert(!(seen[3*id+LIFE(x)]>>NR(x)));               /* once, and in a writer's order */
          seen[3*id+LIFE(x)]=seen[3*id+LIFE(x)]|(1<<NR(x)); p=p+SZ(x); x=0 }
     :: atomic { ST(x)==3 && x!=END -> p=p+SZ(x); x=0 }
     fi
  od;
  skip;
  d_step {
    s=0; do :: s<3 -> assert((acked[s] & ~seen[3*id+s])==0); s++ :: else -> break od;      /* what was returned is there */
    assert(seen[3*id]==0 || seen[3*id]==3);                                                 /* a batch: all or nothing */
    readers++;
    if :: READERS==2 && readers==2 -> s=0; do :: s<3 -> assert(seen[s]==seen[3+s]); s++ :: else -> break od  /* all see the same */
       :: else fi } }

init { atomic { live[0]=1; live[1]=1; run writer(0);
#ifdef STOPS
  done[1]=1;
#else
  run writer(1);
#endif
  run writer(2); run killer(); run reader(0);
#if READERS==2
  run reader(1)
#endif
} }
