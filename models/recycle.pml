/* The end of a segment, and its file's next life: dropped, renamed, pins looked at, zeroed, linked under another number.
 *
 * A file is an inode (mem[]); name[n] is the directory entry of segment n, priv[p] the private name of process p (inode + 1,
 * or 0). A segment takes one record: a word is 0, RESERVED (RS + record) or COMMITTED (record); one that is not 0 has ended.
 * Writers 0 and 1 append, and roll; the maintainer 2 drops, and makes the next segment of the file that it has got. It may be
 * killed at any step; a janitor removes what it leaves, and does so beside the living too. With READ a reader stands under a
 * pin in what it reads, and looks at it twice; with PEEK one has no pin: it copies, then looks at first.
 *
 * Broken variants, each of which must fail:
 *   NO_PINS       a file is used again whoever stands in it               a claim in another life; a handler's bytes change
 *   PINS_FIRST    the pins are read before first is moved                 the same
 *   PIN_LATE      a pin is stored after first was looked at               the same
 *   NO_ZERO       (READ) old words stay in a file that is used again      an old record is taken for a new one
 *   ZERO_LATE     the file is zeroed after it was linked                  a record is lost
 *   NO_LINK_LOOK  (RECORDS=3) who made a segment does not look at first   an append to a number that was dropped
 *   NO_COPY_LOOK  (PEEK) who has no pin does not look at first after      bytes of another life are delivered
 *   COPY_LATE     (PEEK) looks before it copies                           the same
 *   UNSETTLED     a segment is dropped that holds a claim                 a record is committed in what was dropped */
#define SEGS 6
#ifndef FILES
#define FILES 3
#endif
#ifndef RECORDS
#define RECORDS 2                               /* of writer 1; writer 0 appends one */
#endif
#define NONE 9
#define RS 100
#define READER 3
byte mem[FILES], name[SEGS], priv[3], born[FILES], files, first, tail, pin[4];   /* born: ghost, the segment of a file */
byte at[RECORDS+3];                                     /* ghost: the segment that a record was committed in */
bool over[2], dead2, done2;
#define QUIET (over[0] && over[1])

/* moves lane p to segment n or a later one: n, f */
inline enter(p) {
  do
  :: if :: n<first -> n=first :: else fi;
#ifdef PIN_LATE
     f=name[n];
     if
     :: first>n -> skip
     :: else -> pin[p]=n; if :: f!=0 -> break :: else fi
     fi
#else
     pin[p]=n;                                  /* then first, and again when the file is open */
     if
     :: first>n -> skip
     :: else -> f=name[n];
        if :: first>n -> skip
           :: else -> assert(f!=0); break
        fi
     fi
#endif
  od }

/* makes segment m out of a private file of p, unless another was faster; took: link has said so */
inline publish(p,m) {
  atomic {
    if :: name[m]==0 -> name[m]=priv[p]; born[priv[p]-1]=m; took=1 :: else -> took=0 fi };
#ifdef ZERO_LATE
  if :: took -> mem[priv[p]-1]=0 :: else fi;
#endif
  priv[p]=0;
#ifndef NO_LINK_LOOK
  if :: first>m -> name[m]=0 :: else fi
#endif
}

proctype writer(byte w) { byte n, f, r; bit took;
  n=tail; enter(w);
  do
  :: r==(w==0 -> 1 : RECORDS) -> break
  :: else ->
     if
     :: atomic { mem[f-1]==0 -> mem[f-1]=RS+w*2+r+1;
                 assert(born[f-1]==n && first<=n) };
        atomic { mem[f-1]==RS+w*2+r+1 -> mem[f-1]=w*2+r+1; at[w*2+r+1]=n;
                 assert(born[f-1]==n && first<=n) };
        r++
     :: mem[f-1]!=0 ->
        if :: n+1>=SEGS -> break :: else fi;
        f=name[n+1];
        if
        :: f==0 ->
           atomic { if :: files<FILES -> files++; priv[w]=files :: else -> break fi };
           publish(w,n+1);
           f=name[n+1]
        :: else
        fi;
        n++;
        if
#ifdef NO_LINK_LOOK
        :: f==0 ->
#else
        :: f==0 || first>n ->
#endif
           n=tail; enter(w)                     /* it came and went: on at the tail */
        :: else -> pin[w]=n
        fi;
        atomic { if :: n>tail -> tail=n :: else fi }
     fi
  od;
  atomic { pin[w]=NONE; over[w]=1; n=0; f=0; r=0; took=0 } }

#ifdef UNSETTLED
#define SETTLED(n) (mem[name[n]-1]!=0)
#else
#define SETTLED(n) (mem[name[n]-1]!=0 && mem[name[n]-1]<RS)
#endif

proctype maintainer() { byte k, i, m; bit took, pinned;
  {
    do
    :: atomic { first<tail && name[first]!=0 && SETTLED(first) -> k=first };
#ifdef PINS_FIRST
       pinned=0; i=0; do :: i<4 -> if :: pin[i]<=k -> pinned=1 :: else fi; i++ :: else -> break od;
#endif
       first=k+1;                               /* a compare-and-set; nobody else drops here */
       atomic { priv[2]=name[k]; name[k]=0 };   /* rename; 0: the janitor was here */
#ifndef PINS_FIRST
       pinned=0; i=0;
#ifndef NO_PINS
       do :: i<4 -> if :: pin[i]<=k -> pinned=1 :: else fi; i++ :: else -> break od;
#endif
#endif
       if
       :: priv[2]==0 -> skip
       :: priv[2]!=0 && pinned -> priv[2]=0     /* unlinked: who is in it keeps its bytes */
       :: else ->
          born[priv[2]-1]=NONE;
#if !defined(NO_ZERO) && !defined(ZERO_LATE)
          mem[priv[2]-1]=0;
#endif
          m=tail+1;
          if :: m<SEGS -> publish(2,m) :: else -> priv[2]=0 fi
       fi;
       atomic { k=0; i=0; m=0; took=0; pinned=0 }
    :: atomic { QUIET -> done2=1; break }
    od } unless { dead2 } }

proctype killer() { if :: atomic { !done2 -> dead2=1 } -> priv[2]=0 :: skip fi }

/* what lies below first, at any time */
proctype janitor() { byte k;
  do
  :: atomic { k<first -> name[k]=0; k++ }
  :: QUIET -> break
  od }

/* a reader under a pin: a handler sees the same bytes from its first look to its last */
proctype reader() { byte n, f, x;
  n=first; enter(READER);
  do
  :: QUIET -> break
  :: atomic { mem[f-1]!=0 && mem[f-1]<RS -> x=mem[f-1]; assert(at[x]==n) };
     assert(mem[f-1]==x);
     if :: n+1>=SEGS -> break :: else fi;
     (first>n+1 || name[n+1]!=0 || QUIET);
     f=name[n+1]; n++;
     if
     :: f==0 && first<=n -> break
     :: first>n -> enter(READER)                /* fell behind: on from the first */
     :: else -> pin[READER]=n
     fi
  od;
  atomic { pin[READER]=NONE; n=0; f=0; x=0 } }

proctype unpinned() { byte n, f, x;
  n=first; f=name[n];
  if
  :: f!=0 && first<=n ->
#ifdef COPY_LATE
     if :: first>n -> goto gone :: else fi;
#endif
     x=mem[f-1];
#if !defined(NO_COPY_LOOK) && !defined(COPY_LATE)
     if :: first>n -> goto gone :: else fi;
#endif
     assert(x==0 || x>RS || at[x]==n);          /* delivered, of the segment that was asked for */
  :: else
  fi;
gone: skip }

/* in the end: what was committed and not dropped is there, in its segment */
proctype audit() { byte r;
  (QUIET && (done2 || dead2));
  d_step { r=1;
    do
    :: r<RECORDS+3 -> if :: at[r]!=NONE && at[r]>=first -> assert(name[at[r]]!=0 && mem[name[at[r]]-1]==r) :: else fi; r++
    :: else -> break
    od } }

init { byte i;
  atomic {
    do :: i<4 -> pin[i]=NONE; i++ :: else -> break od;
    i=0; do :: i<RECORDS+3 -> at[i]=NONE; i++ :: else -> break od;
    i=0; do :: i<FILES -> born[i]=NONE; i++ :: else -> break od;
    files=1; name[0]=1; born[0]=0; i=0;
    run writer(0); run writer(1); run maintainer(); run killer(); run janitor();
#ifdef READ
    run reader();
#endif
#ifdef PEEK
    run unpinned();
#endif
    run audit() } }
