/* Appending in one segment: claim, commit, batch, END and its room, abandoned and dead claims, reading.
 *
 * A unit of mem[] is 8 bytes: a word, or a payload that imitates a COMMITTED word. Three process lives: 0 and 1 from the
 * start, and 2, which registers in the slot of life 0 once that is dead (it raises the generation, gen).
 * A word is state * 1000 + units * 100 + life * 10 + number of the record.
 * Life 0 appends a batch of two records by one claim; life 1 a record of two units and one of one unit; life 2 one record.
 * Kills come before any step (unless). The kernel frees LIVE after the last store of the dead.
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
 *   NO_PROBE with COMMIT_STORE  a claim is resolved after a time-out, its owner unasked, who then commits by a store
 * and one that must hold: NO_PROBE alone (the commit is a compare-and-set; the writer learns that it was judged dead). */
#ifdef NO_ROOM
#define ROOM 0
#else
#define ROOM 2
#endif
#define LIMIT (7+ROOM)
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
#define SLOT(l) ((l)==1 -> 1 : 0)
#define OVER(l) (done[l] || dead[l])

#if defined(NO_PROBE)
#define RESOLVABLE(l) true
#elif defined(NO_GENERATION)
#define RESOLVABLE(l) (!live[l] && !(SLOT(l)==0 && live[2]))
#else
#define RESOLVABLE(l) (!live[l])
#endif

short mem[LIMIT];
byte hint, gen[2], acked[3];                  /* ghost acked: bit r: the append of record r has returned */
bool live[3], dead[3], done[3], probe[2];     /* live: the life holds its LIVE byte; probe: a resolver holds it */

inline cas(t,o,n) { atomic { if :: mem[t]==o -> mem[t]=n; ok=1 :: else -> ok=0 fi } }

proctype writer(byte l) { byte t, n, r; short x; bool ok, ended;
  { if
    :: l==2 -> end: atomic { (dead[0] && !live[0] && !probe[0]) -> live[2]=1 }; gen[0]=1
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

/* RESERVED by a life whose slot has another generation, or whose LIVE byte can be locked, is resolved */
inline resolve(p,x) { s=SLOT(LIFE(x)); j=0;
#ifdef NO_PROBE
  j=1;
#else
#ifndef NO_GENERATION
  if :: gen[s]!=(LIFE(x)==2 -> 1 : 0) -> j=1 :: else fi;
#endif
  if
  :: !j -> atomic { if :: !live[LIFE(x)] && !(s==0 && live[2]) && !probe[s] -> probe[s]=1; j=2 :: else fi }
  :: else
  fi;
#endif
  if :: j -> cas(p,x,PAD(SZ(x))) :: else fi;
  atomic { if :: j==2 -> probe[s]=0 :: else fi; j=0; s=0; ok=0 } }

byte seen[2*3]; byte readers;
proctype reader(byte id) { byte p, s, j; short x; bool ok;
  do
  :: assert(p<LIMIT); x=mem[p];
     if
     :: x==FREE -> if :: OVER(0) && OVER(1) && (done[2] || !dead[0]) && mem[p]==FREE -> break
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
        if :: mem[p]==x -> resolve(p,x) :: else fi; x=0
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

init { atomic { live[0]=1; live[1]=1; run writer(0); run writer(1); run writer(2); run killer(); run reader(0);
#if READERS==2
  run reader(1)
#endif
} }
