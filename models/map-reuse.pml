/* The index of a map: a step is rebuilt, taken out of the directory, and given out again, while others look at it.
 *
 * One key; a step holds its word (a version, FR added when frozen; 0: EMPTY). The directory names a step and a generation.
 * Writers pin, look at the directory, and set the word by compare-and-set; a writer that meets FROZEN helps. The rebuilder
 * (2) freezes, builds, decides, flips, retires. A reader pins nothing, and looks at the directory again.
 *
 * Broken variants, each of which must fail, but the last:
 *   NO_PIN        writers do not pin                                  a word is set in a step of another life
 *   PIN_LATE      they pin after they have looked at the directory    the same
 *   EPOCH_EARLY   the epoch ends before the step is out               who pins in the next one still finds it
 *   NO_WAIT       a step is given out again at once                   the same
 *   NO_VALIDATE   a reader does not look again                        an older word than one that was returned
 *   NO_GENERATION the directory names the step alone                  (reader) the step is back, and looks unchanged
 *   NO_DECISION   each helper goes on with the step that he built     nothing: the entry takes one of the copies */
#define FR 64
#ifndef STEPS
#define STEPS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef PUTS
#define PUTS 1
#endif
#define USED 0
#define FREE 1
#define RETIRED 2
#ifdef NO_GENERATION
#define NEXT(d, n) (n)
#else
#define NEXT(d, n) (((d) / 8 + 1) * 8 + (n))
#endif
byte val[STEPS], dec[STEPS], is[STEPS], since[STEPS];
byte dir, epoch = 1, pin[3];
byte ver, returned;                             /* ghosts: changes made, and the newest that was returned or seen */

inline reusable(s_) {                           /* every pin is looked at by itself */
  ok = 1; i = 0;
  do
  :: i < 3 -> if :: pin[i] != 0 && pin[i] <= since[s_] -> ok = 0 :: else fi; i++
  :: else -> break
  od; i = 0
}

inline allocate(n_) {                           /* STEPS: there is none */
  n_ = 0;
  do
  :: n_ == STEPS -> break
  :: n_ < STEPS && is[n_] == FREE -> atomic { if :: is[n_] == FREE -> is[n_] = USED; break :: else fi }
  :: n_ < STEPS && is[n_] == RETIRED ->
#ifdef NO_WAIT
     e0 = since[n_]; ok = 1;
#else
     e0 = since[n_]; reusable(n_);
#endif
     if                                         /* looked at and taken under a lock: nobody has had it in between */
     :: ok -> atomic { if :: is[n_] == RETIRED && since[n_] == e0 -> is[n_] = USED; ok = 0; e0 = 0; break :: else fi }
     :: else -> n_++
     fi
  :: else -> n_++
  od;
  if :: n_ < STEPS -> val[n_] = 0; dec[n_] = 0 :: else fi
}

inline rebuild(d_) {
  s = d_ % 8;
  atomic { if :: val[s] < FR -> val[s] = val[s] + FR :: else fi };
#ifndef NO_DECISION
  if
  :: dec[s] == 0 ->
#endif
     allocate(n);
     if
     :: n < STEPS ->
        val[n] = val[s] % FR;
#ifndef NO_DECISION
        atomic { if :: dec[s] == 0 -> dec[s] = n + 1 :: else -> is[n] = FREE fi }
#else
        dec[s] = n + 1
#endif
     :: else
     fi
#ifndef NO_DECISION
  :: else
  fi
#endif
  ;
  if
  :: dec[s] != 0 ->
     n = dec[s] - 1;
#ifdef EPOCH_EARLY
     atomic { since[s] = epoch; epoch++ };
#endif
     atomic { if :: dir == d_ -> dir = NEXT(d_, n); ok = 1 :: else -> ok = 0 fi };
     if
     :: ok ->
#ifndef EPOCH_EARLY
        atomic { since[s] = epoch; epoch++; is[s] = RETIRED }
#else
        is[s] = RETIRED
#endif
     :: else
     fi
  :: else
  fi;
  n = 0; s = 0; ok = 0
}

proctype Writer(byte id) {
  byte d, w, s, n, i, e, e0, puts; bit ok;
  do
  :: puts < PUTS ->
again:
#if !defined(NO_PIN) && !defined(PIN_LATE)
     e = epoch; pin[id] = e;
#endif
     d = dir;
#ifdef PIN_LATE
     e = epoch; pin[id] = e;
#endif
     w = val[d % 8];
     if
     :: w >= FR -> rebuild(d); pin[id] = 0; atomic { w = 0; d = 0; e = 0; goto again }
     :: else ->
        atomic {
          if
          :: val[d % 8] == w -> ver++; val[d % 8] = ver; returned = ver; puts++; w = 0
          :: else -> w = FR
          fi
        };
        pin[id] = 0;
        if :: w == FR -> atomic { w = 0; d = 0; e = 0; goto again } :: else fi;
        atomic { w = 0; d = 0; e = 0 }
     fi
  :: else -> break
  od
}

proctype Rebuilder() {
  byte d, s, n, i, e, e0, r; bit ok;
  do
  :: r < ROUNDS ->
     e = epoch; pin[2] = e;
     d = dir; rebuild(d);
     pin[2] = 0; atomic { r++; d = 0; e = 0 }
  :: else -> break
  od
}

proctype Reader() {
  byte d, w, low;
again:
  atomic { low = returned; d = dir };
  w = val[d % 8] % FR;
#ifndef NO_VALIDATE
  if :: dir != d -> atomic { w = 0; d = 0; goto again } :: else fi;
#endif
  assert(w >= low)
}

/* at any moment the directory leads to the newest word */
proctype Check() { assert(val[dir % 8] % FR == ver) }

init {
  byte k;
  atomic {
    for (k : 1 .. STEPS - 1) { is[k] = FREE };
    run Writer(0); run Rebuilder();
#ifndef ONE_WRITER
    run Writer(1);
#endif
#ifndef NO_READER
    run Reader();
#endif
    run Check()
  }
}
