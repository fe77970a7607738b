/* Look-ups by addresses beside the drop of a segment, the next use of its stretch of addresses, and the close of the map.
 *
 * Segments 0 to 2 have one record each, of the map's one key, whose value is the segment's number + 1; the word of the index
 * names the newest one. A stretch of addresses (at[]) has the bytes of a segment, ZEROS, or NOTHING: a load from there ends
 * the JVM. There are two stretches for three segments, and one for the index; after the map was closed another map takes
 * them, with a record of the same key (OTHER), and an index that looks alike.
 *
 * The owner puts (links, then drops the oldest segment: first moves, then the stretch is unmapped), and closes the map: it
 * says so, then unmaps all. The reader has no pin. It loads first and the word, finds the stretch, compares, looks at first
 * and the word again, copies the two halves of the value, and looks at first once more.
 *
 * Broken variants, each of which must fail:
 *   UNMAP        what is dropped is unmapped, and not replaced by zeros           a load from nothing
 *   UNMAP_END    what is closed is unmapped                                       a load from nothing
 *   UNMAP_FIRST  a segment is unmapped before first has moved                     a value of nobody
 *   NO_LOOK      the reader does not look at first after the copy                 half a value
 *   NO_END       the reader does not look whether the map was closed              a value of another map
 *   END_LATE     the map says that it is closed after its memory was given back   the same */
#define ZEROS 0
#define NOTHING 99
#define OTHER 50
byte at[2];              /* what lies in each stretch: a segment's number + 1, which is its value, too */
byte place[3];           /* in which stretch a segment is, or was mapped last */
byte word;               /* of the index: the segment of the newest record + 1; in the stretch of the index */
byte first, linked;      /* first: a word of the control file; linked: ghost, the oldest value that may be found */
bit ended, reused;

inline unmap(s) {
#ifdef UNMAP
  at[place[s]]=NOTHING
#else
  at[place[s]]=ZEROS
#endif
}

proctype owner() { byte s;
  do
  :: s<2 ->                                     /* the next segment lies where the one before the last was */
     place[s+1]=(s+1)%2; at[place[s+1]]=s+2;
     word=s+2;                                  /* link: now nothing leads to the segment before */
#ifdef UNMAP_FIRST
     unmap(s); first=s+1;
#else
     first=s+1; unmap(s);
#endif
     s++
  :: break
  od;
#ifndef END_LATE
  ended=1;
#endif
#ifdef UNMAP_END
  at[0]=NOTHING; at[1]=NOTHING; word=NOTHING;
#else
  at[0]=ZEROS; at[1]=ZEROS; word=ZEROS; first=ZEROS;
#endif
  reused=1;
  at[0]=OTHER; at[1]=OTHER; word=1; first=ZEROS;   /* another map, just opened: its words are as those of this one were */
#ifdef END_LATE
  ended=1;
#endif
}

#ifdef NO_END
#define OPEN 1
#else
#define OPEN (!ended)
#endif

proctype reader() { byte f, w, p, key, one, two; byte oldest; bit was;
  atomic { oldest=word; was=ended };
  f=first; w=word;
  assert(w!=NOTHING);
  if :: w==ZEROS || w==OTHER || w>3 || w-1<f -> goto unclear :: else fi;
  p=place[w-1];
  key=at[p]; assert(key!=NOTHING);              /* the record's key is compared: of zeros it is another */
  if :: key==ZEROS -> goto unclear :: else fi;
  if :: word==w -> skip :: else -> goto unclear fi;
  if :: first==f -> skip :: else -> goto unclear fi;
  if :: OPEN -> skip :: else -> goto unclear fi;
  one=at[p]; assert(one!=NOTHING);
  two=at[p]; assert(two!=NOTHING);
#ifndef NO_LOOK
  if :: w-1>=first -> skip :: else -> goto unclear fi;
#endif
  if :: OPEN -> skip :: else -> goto unclear fi;
  assert(one==two);                             /* delivered: whole, */
  assert(one==w);                               /* the record that the word named, of this map, */
  assert(one>=oldest);                          /* and not older than what was there when the call began */
unclear: skip }

init { atomic { at[0]=1; place[0]=0; word=1; run owner(); run reader() } }
