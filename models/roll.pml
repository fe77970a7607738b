/* From one segment to the next: prepared or made on the way, linked, entered, and processes killed at any step.
 *
 * A file is an inode; name[n] is the directory entry of segment n, priv[p] the private name of process p (inode + 1, or 0).
 * A segment takes U records of one unit; full is END. Process 2 opens the log when 0 is dead and 1 has gone: it is alone,
 * so it deletes the private names of the dead, and appends. Every process has a thread that prepares the next segment.
 *
 * Broken variants, each of which must fail:
 *   RENAME         a segment gets its name by rename, which replaces          records are lost
 *   TAIL_EARLY     tail is raised when a segment is linked, not when entered  order is broken
 *   REUSE_PRIVATE  a private file of the dead is used for the next segment    records are lost
 *   ZERO_LATE      a file is zeroed after it was linked                       records are lost
 *   USE_OWN        who made a file uses it, whatever link has returned        a record is nobody's */
#define U 1
#define SEGS 5
#define FILES 8
byte name[SEGS], priv[4], used[FILES], files, tail, at[4], off[4];   /* at: inode + 1 of record r of a process, off: where */
bool dead0, gone[3];
byte born[FILES];                              /* ghost: the segment that a file was made for */

#define OVER(p) (gone[p] || (p==0 && dead0))

/* links segment n under its name from a private file; leaves the file that is there */
inline make(p,n) {
  if
  :: name[n]==0 ->
     if
#ifdef REUSE_PRIVATE
     :: p==2 && priv[0]!=0 -> atomic { priv[2]=priv[0]; priv[0]=0 }; used[priv[2]-1]=0
#endif
     :: priv[p]==0 -> atomic { files++; priv[p]=files; assert(files<=FILES) }
     :: else
     fi;
     atomic {
#ifdef RENAME
       name[n]=priv[p]; born[priv[p]-1]=n; priv[p]=0
#else
       if :: name[n]==0 -> name[n]=priv[p]; born[priv[p]-1]=n :: else fi
#endif
     };
#ifdef ZERO_LATE
     if :: priv[p]!=0 -> used[priv[p]-1]=0 :: else fi;
#endif
#ifdef TAIL_EARLY
     if :: n>tail -> tail=n :: else fi;
#endif
#ifdef USE_OWN
     f=priv[p];
#endif
     priv[p]=0                                 /* unlink the private name */
  :: else
  fi }

proctype process(byte p) { byte n, f, r; bit ok;
  { if :: p==2 -> end: (dead0 && gone[1]);
#ifndef REUSE_PRIVATE
       priv[0]=0
#endif
       :: else fi;
    n=tail; f=name[n]; r=0;
    do
    :: r<(p==1 -> 2 : 1) ->
       assert(f!=0);
       atomic {                                /* claims by compare-and-set; full: END */
         if :: used[f-1]<U -> used[f-1]++; ok=1;
               assert(n==0 || used[name[n-1]-1]==U);         /* every earlier segment has ended */
               at[p+(p==1 && r==1 -> 2 : 0)]=f; off[p+(p==1 && r==1 -> 2 : 0)]=used[f-1]
            :: else -> ok=0 fi };
       if
       :: ok -> r++
       :: else ->
          f=0; make(p,n+1);
#ifdef USE_OWN
          if :: f==0 -> f=name[n+1] :: else fi;
#else
          f=name[n+1];
#endif
          n++;
          atomic { if :: n>tail -> tail=n :: else fi }
       fi
    :: else -> break
    od; atomic { gone[p]=1; n=0; f=0; r=0; ok=0 } } unless { p==0 && dead0 } }

proctype prepare(byte p) { byte n, f;         /* the other thread of process 1; makes under names of its own */
  n=tail; make(p,n+1) }

proctype killer() { if :: atomic { !gone[0] -> dead0=1 } :: skip fi }

proctype audit() { byte n, r, found; byte seen[4];
  (OVER(0) && gone[1] && (!dead0 || gone[2]));
  d_step {
    n=0; do :: n<SEGS && name[n]!=0 ->
      r=0; do :: r<4 -> if :: at[r]==name[n] -> seen[r]++; assert(born[name[n]-1]==n) :: else fi; r++ :: else -> break od; n++
    :: else -> break od;
    r=0; do :: r<4 -> assert(at[r]==0 || seen[r]==1);        /* every record is found, once */
      if :: at[r]!=0 -> assert(off[r]<=used[at[r]-1]) :: else fi; r++ :: else -> break od;
    n=1; do :: n<SEGS && name[n]!=0 -> assert(name[n]!=name[n-1]); n++ :: else -> break od } }

init { atomic { files=1; name[0]=1; run process(0); run process(1); run process(2); run prepare(3); run killer(); run audit() } }
