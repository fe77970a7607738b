/* Map index: two neighbours become one step again, while one of them splits, by any process, killed at any step.
   Directory: dir[0] for hash 0 (and whatever falls back), dir[1] for hash 1, dir[3] for hash 11; hash 10 is not used.
   Keys 0, 1, 2 have the hashes 00, 01, 11.  At first a (depth 1, hash 0) and b (depth 1, hash 1).
   A directory word is the number of a step, or EMP + generation: empty, fall back to the shorter hash.  Numbers are not
   used again: a look at a step is by who was pinned when it was in the directory (map-reuse).

   merge of a and b:  freeze a, freeze b; claim  dec[b]: 0 -> INTO a          b alone decides nothing any more
                      decide dec[a]: 0 -> the one step of both               the only choice; a may choose otherwise
                      tell   dec[b]: INTO a -> MERGED                        before a leaves the directory
                      flip   dir[0]: a -> it, then dir[1]: b -> empty
   a chose otherwise: it has a decision of its own, or has left the directory while b is not MERGED; then b decides, too.

   Broken variants: NO_CLAIM, NO_TELL, MERGE_ORDER, NO_BIRTH, BIRTH_BLIND, NO_CHAIN_CHECK, NO_GENERATION, NO_RECHECK, NO_FIRST, HALF_FREEZE */
#define FR 64
#define EMP 64
#define INTO 64
#define MERGED 128
#ifndef NSEG
#define NSEG 16
#endif
#ifndef OPS
#define OPS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
byte val[48], depth[NSEG], pref[NSEG], dec[NSEG];
byte dir[4], ver[3], ret_[3];
byte nseg=3, gen=EMP+1;
#define V(s,k) val[(s)*3+(k)]
/* prefix at depth 2: 1 for hash 01, 2 for hash 11 */
#define COVERS(s,k) (depth[s]==0 || (depth[s]==1 && pref[s]==(k>0)) || (depth[s]==2 && pref[s]==k))
#define ENTRY(s) (depth[s]==0 -> 0 : (depth[s]==1 -> pref[s] : (pref[s]==1 -> 1 : 3)))
#define ISOWN(d) (d>0 && d<64)

inline nextEmpty(i_) {
#ifdef NO_GENERATION
  dir[i_]=EMP
#else
  dir[i_]=gen; gen++
#endif
}

/* finds the step of a key, as Directory.find does */
inline locate(k_,s_) {
  do
  :: f=dir[(k_==2 -> 3 : k_)]; 
     if
     :: f<EMP -> s_=f; break
     :: else -> 
        g=EMP; s_=dir[(k_==2 -> 1 : 0)];
        if :: s_>=EMP -> g=s_; s_=dir[0] :: else fi;
        if
        :: !COVERS(s_,k_) -> skip
        :: else ->
#ifdef NO_CHAIN_CHECK
           break
#else
           if                                                /* empty is enough: not the same generation of it */
           :: dir[(k_==2 -> 3 : k_)]<EMP -> skip
           :: else -> if :: g==EMP -> break :: else -> if :: dir[1]>=EMP -> break :: else fi fi
           fi
#endif
        fi
     fi
  od; f=0; g=0 }

inline freeze(s_) {
  if :: COVERS(s_,0) -> atomic { if :: V(s_,0)<FR -> V(s_,0)=V(s_,0)+FR :: else fi } :: else fi;
  if :: COVERS(s_,1) -> atomic { if :: V(s_,1)<FR -> V(s_,1)=V(s_,1)+FR :: else fi } :: else fi;
  if :: COVERS(s_,2) -> atomic { if :: V(s_,2)<FR -> V(s_,2)=V(s_,2)+FR :: else fi } :: else fi }

#define NOWHERE 63
#define take(to,from,k) V(to,k)=(COVERS(to,k) -> V(from,k)%FR : NOWHERE)

/* builds what a step becomes by itself, in private, and decides by compare-and-set; the words are frozen */
inline own(s_,expected_) { atomic {
  if
  :: dec[s_]==expected_ ->
     if
     :: depth[s_]==0 || (depth[s_]==1 && pref[s_]==1) ->    /* two steps */
        assert(nseg+1<NSEG);
        depth[nseg]=depth[s_]+1; pref[nseg]=pref[s_];
        depth[nseg+1]=depth[s_]+1; pref[nseg+1]=pref[s_]+1;
        take(nseg,s_,0); take(nseg,s_,1); take(nseg,s_,2);
        take(nseg+1,s_,0); take(nseg+1,s_,1); take(nseg+1,s_,2);
        dec[s_]=nseg; nseg=nseg+2
     :: assert(nseg<NSEG);                                   /* one, without what is dead */
        depth[nseg]=depth[s_]; pref[nseg]=pref[s_];
        take(nseg,s_,0); take(nseg,s_,1); take(nseg,s_,2);
        dec[s_]=nseg; nseg++
     fi
  :: else fi } }

inline flipMerged(a_,m_) {
  w=dir[1];
  if
  :: dir[0]==a_ ->                                           /* so w is the b that m was made of */
#ifndef NO_TELL
     atomic { if :: dec[w]==INTO+a_ -> dec[w]=MERGED+m_ :: else fi };
#endif
#ifdef MERGE_ORDER
     atomic { if :: dir[1]==w -> nextEmpty(1) :: else fi };
     atomic { if :: dir[0]==a_ -> dir[0]=m_ :: else fi }
#else
     atomic { if :: dir[0]==a_ -> dir[0]=m_ :: else fi };
     atomic { if :: dir[1]==w -> nextEmpty(1) :: else fi }
#endif
  :: else
  fi; w=0 }

inline flipOwn(s_,n_) {
  if
  :: depth[n_]==depth[s_] -> w=ENTRY(s_); atomic { if :: dir[w]==s_ -> dir[w]=n_ :: else fi }
  :: else ->
     w=ENTRY(s_); c=ENTRY(n_+1);
     do
     :: e=dir[c];
        if
        :: e<EMP ->
#ifndef NO_BIRTH
           d=dec[e];                                         /* child 1; or what is left of a merge */
#ifndef BIRTH_BLIND
           if :: dir[w]!=s_ -> break :: else fi;
#endif
           if
           :: d>=MERGED -> atomic { if :: dir[c]==e -> nextEmpty(c) :: else fi }
           :: else -> break
           fi
#else
           break
#endif
        :: else ->
#ifndef NO_RECHECK
           if :: dir[w]!=s_ -> break :: else fi;
#endif
           atomic { if :: dir[c]==e -> dir[c]=n_+1 :: else fi }; break
        fi
     od;
     atomic { if :: dir[w]==s_ -> dir[w]=n_ :: else fi }
  fi; e=0; d=0; c=0; w=0 }

/* finishes whatever has become of a step that was found in the directory */
inline finish(s_) {
  freeze(s_);
  do
  :: d=dec[s_];
     if
     :: d==0 -> own(s_,0)
     :: ISOWN(d) ->
        if :: depth[d]>=depth[s_] -> n=d; flipOwn(s_,n) :: else -> n=d; flipMerged(s_,n) fi; break
     :: d>=INTO && d<MERGED ->
        o=d-INTO;
        if
        :: dir[0]==o -> freeze(o); decideMerged(o,s_);
           n=dec[o];
           if :: depth[n]<depth[o] -> flipMerged(o,n)
              :: else -> own(s_,INTO+o)
           fi
        :: else -> own(s_,INTO+o)
        fi
#ifdef NO_TELL
        ; if :: dec[s_]==INTO+o -> break :: else fi
#endif
     :: d>=MERGED ->
#ifndef NO_FIRST
        o=dir[0]; if :: dec[o]==d-MERGED -> atomic { if :: dir[0]==o -> dir[0]=d-MERGED :: else fi } :: else fi;
#endif
        atomic { if :: dir[1]==s_ -> nextEmpty(1) :: else fi }; break
     fi
  od; d=0; n=0; o=0; w=0 }

inline decideMerged(a_,b_) { atomic {
  if
  :: dec[a_]==0 ->
     assert(nseg<NSEG); depth[nseg]=0; pref[nseg]=0;
     V(nseg,0)=V(a_,0)%FR; V(nseg,1)=V(b_,1)%FR; V(nseg,2)=V(b_,2)%FR;
     dec[a_]=nseg; nseg++
  :: else fi } }

inline merge() {
  o=dir[0]; s=dir[1];
  if
  :: depth[o]==1 && s<EMP && depth[s]==1 ->
     freeze(o);
#ifndef HALF_FREEZE
     freeze(s);
#endif
#ifdef NO_CLAIM
     if :: dec[s]==0 -> decideMerged(o,s); n=dec[o]; if :: depth[n]<depth[o] -> flipMerged(o,n) :: else fi :: else fi
#else
     atomic { if :: dec[s]==0 -> dec[s]=INTO+o :: else fi };
#ifdef HALF_FREEZE
     if :: dec[s]==INTO+o -> decideMerged(o,s) :: else fi;
#endif
     finish(s)
#endif
  :: else
  fi; o=0; s=0; n=0 }

proctype Writer() { byte i=0,s,f,g,e,d,n,o,w,c,v; byte k; byte lo;
  do
  :: i<OPS -> atomic { i++; if :: k=0 :: k=1 :: k=2 fi };
     if
     :: do                                                   /* put */
        :: locate(k,s); v=V(s,k);
           if
           :: v>=FR -> finish(s)
           :: else -> atomic { if :: V(s,k)==v -> ver[k]++; V(s,k)=ver[k]; ret_[k]=ver[k]; v=0; s=0; break :: else fi }
           fi
        od
     :: atomic { lo=ret_[k] }; locate(k,s); v=V(s,k)%FR;     /* get */
        atomic { assert(v>=lo); if :: v>ret_[k] -> ret_[k]=v :: else fi; v=0; s=0; lo=0 }
     fi
  :: else -> break
  od }

/* Merges, and makes two of one again; any step of it may be its last */
proctype Merger() { byte i=0,s,e,d,n,o,w,c;
  do
  :: i<ROUNDS -> i++;
     s=dir[0];
     if :: depth[s]==0 -> finish(s) :: else -> merge() fi; s=0
  :: else -> break
  od }

/* Freezes whatever is there, and finishes it: b splits or is copied, a is copied */
proctype Splitter() { byte s,e,d,n,o,w,c;
  if :: s=dir[0] :: s=dir[1] fi;
  if :: s<EMP -> finish(s) :: else fi }

/* At any moment a look through the directory finds the newest value of each key */
proctype Check() { byte s; atomic {
  s=dir[0]; assert(V(s,0)%FR==ver[0]);
  s=(dir[1]<EMP -> dir[1] : dir[0]); assert(V(s,1)%FR==ver[1]);
  s=(dir[3]<EMP -> dir[3] : (dir[1]<EMP -> dir[1] : dir[0])); assert(V(s,2)%FR==ver[2]); s=0 } }

init { atomic {
  dir[0]=1; dir[1]=2; dir[2]=EMP; dir[3]=EMP;
  depth[1]=1; pref[1]=0; depth[2]=1; pref[2]=1;
  run Writer();
#if WRITERS > 1
  run Writer();
#endif
  run Merger(); run Splitter(); run Check() } }
