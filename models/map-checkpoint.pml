/* A checkpoint of a map beside its writers, a crash or a loss of power at any step, and the opening after it.
 *
 * One key; positions 1 .. N of the log. A put: claim, order rule, link, commit; who finds a record commits it first. The
 * checkpoint: P = tail; wait until those inside have left; copy the word; sync; publish. After a crash memory is whole; after
 * a loss of power the log is cut anywhere from its durable end on. The opening takes the greatest of the image's word and the
 * committed records from P on.
 *
 * Broken variants, each of which must fail:
 *   NO_GRACE    the word is copied while a put from before P is under way          a returned put is lost
 *   P_LATE      P is taken after the word was copied                              the same
 *   NO_SYNC     the image is published before the log is synced                   it leads to a record that is gone
 *   NO_IMAGE_P  the log is read from its end when the image was published         a returned put is lost
 *   NO_ORDER    a record is linked over one of a higher position                  an older one wins */
#define N 6
#define FREE 0
#define RESERVED 1
#define COMMITTED 2
#define PADDING 3
byte word;                                      /* the index: position of the newest record; 0: none */
byte st[N + 2];
byte tail = 1, durable = 1;                     /* durable: below it nothing is lost */
byte pinned[2], ops[2];
bit published; byte imageP, image;
byte newest, returned;                          /* ghosts: last linked; last returned or seen */

inline commit(p_) { atomic { if :: st[p_] == RESERVED -> st[p_] = COMMITTED :: else fi } }

proctype Writer(byte id) {
  byte p, w, n;
  do
  :: n < 2 ->
     atomic { n++; pinned[id] = 1; ops[id]++ };
claim:
     atomic { if :: tail <= N -> p = tail; st[p] = RESERVED; tail++ :: else -> p = 0 fi };
     if
     :: p == 0 -> skip
     :: else ->
again:
        w = word;
        if :: w != 0 -> commit(w) :: else fi;
#ifndef NO_ORDER
        if :: w > p -> st[p] = PADDING; atomic { p = 0; w = 0; goto claim } :: else fi;
#endif
        atomic { if :: word == w -> word = p; newest = p :: else -> goto again fi };
        commit(p);
        atomic { if :: p > returned || newest == p -> returned = p :: else fi }
     fi;
     atomic { pinned[id] = 0; p = 0; w = 0 }
  :: else -> break
  od
}

/* up to the first claim that is neither committed nor padding */
inline sync() {
  atomic {
    do
    :: durable < tail && st[durable] != RESERVED -> durable++
    :: else -> break
    od
  }
}

proctype Checkpointer() {
  byte p, w, o0, o1; bit p0, p1;
#ifndef P_LATE
  p = tail;
#endif
#ifndef NO_GRACE
  atomic { p0 = pinned[0]; p1 = pinned[1]; o0 = ops[0]; o1 = ops[1] };
  (!p0 || !pinned[0] || ops[0] != o0);
  (!p1 || !pinned[1] || ops[1] != o1);
#endif
  w = word;
#ifdef P_LATE
  p = tail;
#endif
#ifdef NO_SYNC
  atomic { published = 1; imageP = p; image = w };
  sync()
#else
  do :: durable <= w || durable < p -> sync() :: else -> break od;      /* as log.sync: up to the end when it was called */
#ifdef NO_IMAGE_P
  p = tail;
#endif
  atomic { published = 1; imageP = p; image = w }
#endif
}

/* The background syncs when it likes. */
proctype Syncer() { sync() }

proctype End() {
  byte cut, p, best, found;
  atomic {
    if
    :: cut = tail                                /* a process crash */
    :: cut = durable                             /* a loss of power */
    :: durable + 1 <= tail -> cut = durable + 1
    fi;
    for (p : 1 .. N) {
      if :: p < cut && st[p] == COMMITTED -> best = p :: else fi
    };
    if :: published -> found = image :: else fi;
    for (p : 1 .. N) {
      if :: p < cut && st[p] == COMMITTED && p > found && (!published || p >= imageP) -> found = p :: else fi
    };
    assert(!published || image < cut);           /* the image leads to what is there */
    assert(image == 0 || !published || st[image] == COMMITTED);
    assert(found == best);                       /* as without an image */
    assert(cut < tail || found >= returned)      /* a process crash loses nothing that was returned */
  }
}

init { atomic { run Writer(0); run Writer(1); run Checkpointer(); run Syncer(); run End() } }
