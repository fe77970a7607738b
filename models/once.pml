/* Values written once (docs/design/array.md): one member, its Raft log, the log of its map, the cleaner, and what Raft may do.
 *
 * An entry (term t, index i) is large or small; both put the only key.  A large one has its value in a PENDING record of
 * the map's log, written before the entry is; the entry has no value.  Applying writes REF (the position of the pending
 * record), or VALUE for a small one.  Positions are never used again, two make a segment.  The table (at) leads from an
 * entry to its value.
 *
 *   floor     the lowest pending record of an entry that is not purged, or that is just being written
 *   cleaner   takes the oldest segment, if it ends below the floor.  What the key holds, in it or by a REF into it, is
 *             written as VALUE.  The segment goes once a kept moment lies behind that.
 *   opening   reads the pending records, drops entries without a value: the first ones, if they are kept, else the last ones
 *
 * Raft appends, truncates what is not committed, commits, purges what is kept, and sends any entry to a member that lacks
 * it.  kill -9 keeps all that was written.  A loss of power keeps a beginning of the map's log, not shorter than at its
 * last sync, and of the Raft log; files that were purged may be there again.
 *
 * The properties: an entry that is applied, or sent, has its own value.  What the key holds is what the last entry has put,
 * after a restart too.  An entry that was acknowledged stays in the log.
 *
 * Broken variants: INDEX_ONLY (the table is made anew by the index alone)  LINK_PENDING (a replay takes a pending record for
 * one of the key)  IN_PLACE (applying links the pending record)  NO_FLOOR, FLOOR_APPLIED, FLOOR_KEPT (the floor: none, of
 * entries to be applied, of entries to be kept)  FLOOR_FIRST (it rises before the entries are purged)  FLOOR_LATE (it knows
 * not of a value whose entry is being written)  CARRY_REF (the cleaner copies the REF)  DROP_EARLY (a segment goes at once)
 * FLUSH_LAST (the Raft log is synced ahead of the map's)  NO_CUT (entries without values stay)  CUT_ALL (all that is not kept
 * is cut off)  NO_TABLE (it is not made anew). */
#ifndef E
#define E 3            /* entries */
#endif
#ifndef T
#define T 2            /* terms */
#endif
#ifndef L
#define L 10           /* records */
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#define PENDING 1
#define REF 2
#define VALUE 3
#define REMOVAL 4
#define INF 99
#define LARGE(t,i) (((t)+(i))%2==0)
#define ID(t,i) ((t)*8+(i))
#define SEG(p) (((p)-1)/2)

byte kind[L+1], val[L+1], end, dur;              /* the map's log; what is durable of it */
byte cur;                                        /* the record that the index shows */
byte first, emptied, emptyEnd[L];                /* segments: the first one, the next to be emptied, the end then */
byte point, kept, applied;                       /* the restore point, its entry, the last entry that was applied */
byte want, wantKept;                             /* what the key must hold, now and at the restore point */
byte rt[E+2], rFirst=1, rLast, rSynced, rFirstSynced=1, acked;    /* the Raft log */
byte at[E+2], ct[E+2], committed, term=1;        /* the table; terms of what is committed, by any majority */
byte half, flushing, purging, crashes;           /* an entry whose value is written; steps under way */
byte i, p, f, s, x, v; bool torn;

#define OWN(j) (at[j]>0 && at[j]<=end && SEG(at[j])>=first && kind[at[j]]==PENDING && val[at[j]]==ID(rt[j],j))
#define ROOM (end<L)
#ifdef DROP_EARLY
#define KEPT_BEHIND(s) 1
#else
#define KEPT_BEHIND(s) (emptyEnd[s]<=point)
#endif

inline write(k_,v_) { end++; kind[end]=k_; val[end]=v_ }

/* what the record holds that the index shows */
inline held() {
  v=0;
  if
  :: cur==0 -> skip
  :: else ->
     assert(cur<=end && SEG(cur)>=first);
     if
     :: kind[cur]==REF -> assert(val[cur]<=end && SEG(val[cur])>=first && kind[val[cur]]==PENDING); v=val[val[cur]]
     :: kind[cur]==REMOVAL -> v=0
     :: else -> v=val[cur]
     fi
  fi }

inline lowest() {
  f=INF; i=rFirst;
#ifdef FLOOR_FIRST
  i=(purging>i -> purging : i);
#endif
#ifdef FLOOR_APPLIED
  i=(applied+1>i -> applied+1 : i);
#endif
#ifdef FLOOR_KEPT
  i=(kept+1>i -> kept+1 : i);
#endif
  do
  :: i<=rLast -> if :: at[i]>0 && at[i]<f -> f=at[i] :: else fi; i++
  :: else -> break
  od;
#ifndef FLOOR_LATE
  if :: half>0 && at[rLast+1]>0 && at[rLast+1]<f -> f=at[rLast+1] :: else fi;
#endif
#ifdef NO_FLOOR
  f=INF;
#endif
  i=0 }

inline open() {
  half=0; flushing=0; purging=0; applied=kept; want=wantKept; emptied=first; rSynced=rLast;
  i=0; do :: i<L -> emptyEnd[i]=0; i++ :: else -> break od;
  if :: dur<end -> dur=end :: else fi;            /* what an opening finds it makes durable */
  /* the table: the last pending record of each entry that the Raft log has */
#ifndef NO_TABLE
  i=1; do
  :: i<=E -> at[i]=0; p=first*2+1;
     do
     :: p<=end ->
#ifdef INDEX_ONLY
        if :: kind[p]==PENDING && val[p]%8==i && i<=rLast && at[i]==0 -> at[i]=p :: else fi;
#else
        if :: kind[p]==PENDING && val[p]==ID(rt[i],i) && i<=rLast -> at[i]=p :: else fi;
#endif
        p++
     :: else -> break
     od; i++
  :: else -> break
  od;
#endif
  /* entries without values */
#ifndef NO_CUT
  i=rFirst; do
  :: i<=rLast ->
     if
     :: LARGE(rt[i],i) && at[i]==0 -> if :: i<=kept -> rFirst=i+1 :: else -> rLast=i-1 fi
     :: else
     fi; i++
  :: else -> break
  od;
#endif
#ifdef CUT_ALL
  if :: rLast>kept -> rLast=kept :: else fi;
#endif
  rSynced=rLast;
  assert(rLast>=acked);
  if :: rLast<kept -> rLast=kept; rFirst=kept+1; rSynced=kept :: else fi;
  rFirstSynced=rFirst;
  i=rLast+1; do :: i<=E -> rt[i]=0; at[i]=0; i++ :: else -> break od;
  i=1; do :: i<rFirst && i<=E -> at[i]=0; i++ :: else -> break od;
  /* the index, up to the restore point; then what lies behind is undone */
  cur=0; p=first*2+1; torn=0;
  do
  :: p<=end ->
     if
#ifdef LINK_PENDING
     :: kind[p]>0 && p<=point -> cur=p
     :: kind[p]>0 && p>point -> torn=1
#else
     :: kind[p]>PENDING && p<=point -> cur=p
     :: kind[p]>PENDING && p>point -> torn=1
#endif
     :: else
     fi; p++
  :: else -> break
  od;
  held(); assert(v==want);
  if
  :: torn && ROOM ->
     if :: cur==0 -> write(REMOVAL,0) :: else -> write(kind[cur],val[cur]) fi;
     cur=end
  :: torn && !ROOM -> crashes=CRASHES; end=L; kept=E+1           /* no room: this run ends */
  :: else
  fi;
  i=0; p=0; torn=0; v=0 }

active proctype member() {
  do
  /* Raft appends: the value, then the entry */
  :: atomic { kept<=E && half==0 && rLast<E && ROOM ->
       i=rLast+1; x=(i<=committed -> ct[i] : term);
       if :: x>=rt[rLast] -> skip :: else -> x=0 fi;
       if
       :: x>0 && LARGE(x,i) -> write(PENDING,ID(x,i)); at[i]=end; half=x
       :: x>0 && !LARGE(x,i) -> at[i]=0; half=x
       :: else
       fi; i=0; x=0 }
  :: atomic { half>0 -> rLast++; rt[rLast]=half; half=0 }
  /* a leader of a later term, which has not what is not committed */
  :: atomic { half==0 && term<T && flushing==0 -> term++;
       if
       :: rLast>committed && rLast>=rFirst ->
          if :: i=committed :: rLast-1>committed -> i=rLast-1 fi;
          if :: i+1<rFirst -> i=rFirst-1 :: else fi;
          p=i+1; do :: p<=rLast -> rt[p]=0; at[p]=0; p++ :: else -> break od;
          rLast=i; if :: rSynced>i -> rSynced=i :: else fi; if :: acked>i -> acked=i :: else fi
       :: skip
       fi; i=0; p=0 }
  /* the value goes to the disk ahead of the entry */
  :: atomic { flushing==0 && rLast>rSynced -> flushing=rLast;
#ifdef FLUSH_LAST
       rSynced=rLast; acked=rLast
#else
       dur=end
#endif
     }
  :: atomic { flushing>0 ->
#ifdef FLUSH_LAST
       dur=end;
#else
       rSynced=(flushing>rSynced -> flushing : rSynced); acked=rSynced;
#endif
       flushing=0 }
  :: atomic { committed<rLast && rLast<=E && committed+1>=rFirst -> committed++; ct[committed]=rt[committed] }
  /* applying */
  :: atomic { applied<committed && applied<rLast && applied+1>=rFirst && ROOM ->
       i=applied+1; assert(rt[i]==ct[i]);
       if
       :: LARGE(rt[i],i) ->
          assert(OWN(i));
#ifdef IN_PLACE
          cur=at[i]; kind[cur]=VALUE
#else
          write(REF,at[i]); cur=end
#endif
       :: else -> write(VALUE,ID(rt[i],i)); cur=end
       fi;
       applied=i; want=ID(rt[i],i); i=0; held(); assert(v==want); v=0 }
  /* the store is kept */
  :: atomic { kept<applied -> dur=end; point=end; kept=applied; wantKept=want }
  /* entries are purged that are kept */
  :: atomic { purging==0 && rFirst<=kept && rFirst<=rLast -> 
       if :: purging=kept+1 :: rFirst<kept -> purging=rFirst+1 fi }
  :: atomic { purging>0 -> do :: rFirst<purging -> at[rFirst]=0; rFirst++ :: else -> break od; purging=0 }
  :: atomic { rFirstSynced<rFirst -> rFirstSynced=rFirst }
  /* the cleaner */
  :: atomic { emptied<SEG(end+1) && ROOM ->
       lowest(); s=emptied;
       if
       :: f==INF || s<SEG(f) ->
          held();
          if
          :: cur>0 && (SEG(cur)==s || (kind[cur]==REF && SEG(val[cur])==s)) ->
             if
             :: kind[cur]==REMOVAL -> cur=0
#ifdef CARRY_REF
             :: kind[cur]==REF && SEG(cur)==s -> write(REF,val[cur]); cur=end
             :: kind[cur]==REF && SEG(cur)!=s -> skip
#else
             :: kind[cur]==REF -> write(VALUE,v); cur=end
#endif
             :: kind[cur]==VALUE || kind[cur]==PENDING -> write(VALUE,v); cur=end
             fi
          :: else
          fi;
          emptyEnd[s]=end; emptied++
       :: else
       fi; f=0; s=0; v=0 }
  :: atomic { first<emptied && KEPT_BEHIND(first) -> first++ }
  /* an entry is sent to a member that lacks it; a read */
  :: atomic { rFirst<=rLast && kept<=E -> i=rFirst;
       do :: i<=rLast -> if :: LARGE(rt[i],i) -> assert(OWN(i)) :: else fi; i++ :: else -> break od;
       held(); assert(v==want); i=0; v=0 }
  /* kill -9 */
  :: atomic { crashes<CRASHES -> crashes++; open() }
  /* a loss of power */
  :: atomic { crashes<CRASHES -> crashes++;
       do :: end>dur && end>point -> kind[end]=0; val[end]=0; end-- :: break od;
       do :: rLast>rSynced -> rt[rLast]=0; rLast-- :: break od;
       do :: rFirst>rFirstSynced -> rFirst-- :: break od;
       open() }
  :: atomic { true -> break }
  od }
