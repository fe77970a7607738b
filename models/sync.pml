/* Making records durable, and what is left when the power fails at any step, also a second time during the recovery.
 *
 * A record is two pages, word and payload; m.. is memory, d.. the disk, y.. says that a page is dirty. The kernel writes
 * dirty pages back in any order. A flush of one page may fail, once: then the page is lost and clean.
 * MODE 0 none: the place is flushed with every sync.  1 record: every record is checked.  2 seal: two seals of the block.
 * The place (A and B in turn) is a page each; a page that is being written when the power fails may be torn (BAD, MODE 0;
 * in the others it reaches the disk whole, or, in MODE 2, not at all).
 * Recovery sees the disk alone. It cuts at E: writes END there, which takes the place of word E; END and its seal reach
 * the disk in any order, or not at all, when the power fails again.
 *
 * Broken variants, each of which must fail:
 *   ACK_FIRST (durable is stored before the flush)   ACK_FAILED (a failed flush is tried again, and acknowledged)
 *   LATE_LOOK (failed is not read again after the flush)   NO_LOCK (no SYNC lock)   ONE_PLACE (MODE 0)
 *   ONE_SEAL (MODE 2)   NO_CHECK (MODE 1: payloads are not checked)   NO_END (the log goes on behind the cut)
 *   SAME_SEAL (MODE 2: the cut is sealed in the half that proves it) */
#ifndef MODE
#define MODE 2
#endif
#ifndef SYNCS
#define SYNCS 1
#endif
#define N 2
#define BAD 99
#ifdef NO_CHECK
#define CHECKED(i) 1
#else
#define CHECKED(i) dp[i]
#endif
#define FIN 2                                  /* END, as a word page */
byte mw[N]; byte dw[N]; bit yw[N];             /* word pages: 0 FREE, 1 COMMITTED, FIN */
bit mp[N]; bit dp[N]; bit yp[N];               /* payload pages */
byte ms[2]; byte ds[2]; bit ys[2];             /* seals, as far as they cover; FIN is covered as N + record */
byte ml[2]; byte dl[2]; bit yl[2];             /* places */
byte durable, acked, turn, errors, syncers; bool failed, off, wrote; bit lock;

inline back(d,m,y) { if :: y -> d=m; y=0 :: else fi }

proctype writer() { byte i;
  { do :: i<N -> atomic { mp[i]=1; yp[i]=1 }; atomic { mw[i]=1; yw[i]=1 }; i++ :: else -> break od; wrote=1 } unless { off } }

proctype kernel() { byte i;
  { do
    :: atomic { i=0; do :: i<1 -> i++ :: break od;
         if :: yw[i] -> dw[i]=mw[i]; yw[i]=0 :: yp[i] -> dp[i]=mp[i]; yp[i]=0
            :: MODE==2 && ys[i] -> ds[i]=ms[i]; ys[i]=0
            :: MODE<2 && yl[i] -> if :: dl[i]=ml[i]; yl[i]=0 :: MODE==0 -> dl[i]=BAD fi fi; i=0 }
    :: atomic { wrote && syncers==2 -> break }
    od } unless { off } }

inline flush(d,m,y) { atomic { if :: y -> y=0; if :: d=m :: errors<1 -> errors++; ok=0 fi :: else fi } }

proctype syncer() { byte s, i, k, r; bool ok;
  { do
    :: r<SYNCS && !failed ->
#ifndef NO_LOCK
       atomic { !lock -> lock=1 };
#endif
       s=durable; do :: s<N && mw[s]==1 -> s++ :: else -> break od;
       k=(ms[0]==durable && durable>0 -> 1 : 0);             /* the half that does not hold the durable seal */
#ifdef ONE_SEAL
       k=0;
#endif
#ifdef ACK_FIRST
       atomic { durable=s; acked=(s>acked -> s : acked) };
#endif
again: ok=1;
       if :: MODE==2 && s>durable -> atomic { ms[k]=s; ys[k]=1 } :: else fi;
       i=0; do :: i<s -> flush(dw[i],mw[i],yw[i]); flush(dp[i],mp[i],yp[i]); i++ :: else -> break od;
       if :: MODE==2 -> flush(ds[k],ms[k],ys[k]) :: else fi;
       if
       :: !ok ->
#ifdef ACK_FAILED
          goto again
#else
          failed=1; lock=0; break
#endif
       :: else
       fi;
#ifndef LATE_LOOK
       if :: failed -> lock=0; break :: else fi;
#endif
#ifndef ONE_PLACE
       turn=1-turn;
#endif
       if :: MODE<2 -> atomic { ml[turn]=s; yl[turn]=1 } :: else fi;
       if :: MODE==0 -> atomic { if :: yl[turn] -> dl[turn]=BAD :: else fi }; flush(dl[turn],ml[turn],yl[turn]);
             if :: !ok -> failed=1; lock=0; break :: else fi
          :: else fi;
       atomic { if :: s>durable -> durable=s :: else fi; acked=(s>acked -> s : acked) };
       atomic { lock=0; r++; i=0; k=0; s=0 }
    :: else -> break
    od; syncers++ } unless { off } }

/* what the disk proves: E; P is the place */
inline proven() {
  P=0; k=0; do :: k<2 -> if :: dl[k]!=BAD && dl[k]>P -> P=dl[k] :: else fi; k++ :: else -> break od;
  E=P;
  if
  :: MODE==0 -> skip
  :: MODE==1 -> E=0; do :: E<N && dw[E]==1 && CHECKED(E) -> E++ :: else -> break od
  :: MODE==2 -> E=0; k=0;
     do :: k<2 ->
        c=(ds[k]>N -> ds[k]-N-1 : ds[k]);                    /* the records that it covers, and END after them? */
        v=1; i=0; do :: i<c -> if :: dw[i]==1 && dp[i] -> skip :: else -> v=0 fi; i++ :: else -> break od;
        if :: ds[k]>N && c<N && dw[c]!=FIN -> v=0 :: else fi;
        if :: v && c>E -> E=c :: else fi; half=(v && c==E && c>0 -> k : half); k++
     :: else -> break od
  fi }

proctype power() { byte E, P, k, i, c, half=0; bit v;
  atomic { off=1;
  d_step { proven();
    assert(E>=acked); assert(E>=P);                          /* what sync returned is there; no false alarm */
    i=0; do :: i<E -> assert(dw[i]==1 && dp[i]); i++ :: else -> break od };     /* nothing torn is served */
#ifdef NO_END
  if :: E+1<N -> assert(dw[E+1]!=1) :: else fi;              /* a new record at E: the old one behind it comes alive */
#endif
  /* the recovery writes END at E and, in mode seal, a seal over it in the other half; the power fails again */
  if :: E<N -> dw[E]=FIN :: skip fi;
  if :: MODE==2 && E<N ->
#ifdef SAME_SEAL
        if :: ds[half]=N+1+E :: ds[half]=BAD fi              /* overwritten, and END perhaps not there */
#else
        if :: ds[1-half]=N+1+E :: skip fi
#endif
     :: else fi;
  d_step { if :: MODE==2 -> k=0; do :: k<2 -> if :: ds[k]==BAD -> ds[k]=0 :: else fi; k++ :: else -> break od :: else fi;
    proven(); assert(E>=acked) } } }

init { atomic { run writer(); run kernel(); run syncer(); run syncer(); run power() } }
