/* Does the term question (docs/design/array.md) give linearizable reads on Raft?
 *
 * The rule.  Reads wait at a node.  A node with no round under way starts one for all reads that wait:
 *   1. It notes its term T.  Then it checks that it leads and is ready: an entry of its own term is committed.  Then it
 *      notes its commit index c and its voters.  Then it asks every voter "in which term is your member?".  These are
 *      separate steps: the node may lose its leadership and win it back between any two of them.
 *   2. A voter reads its term after the question has arrived.  It answers with the term and the round's number.
 *   3. The round succeeds if a majority of the voters (of both sets, while joint) is in a term <= T and the node still
 *      leads in T.  The node then answers the reads from its state machine, once that has applied c.
 * The property.  The register counts writes; a write is acknowledged when its leader commits it.  A read never returns
 * less than a client had seen before the read started: an acknowledged write, or the result of an earlier read.
 *
 * Raft, abstracted:
 *   - A log is a pair (term of the last entry, length).  By log matching the pair determines the content.
 *   - A leader's log is kept for ever as a pair (log when elected, present length).  Its first entry is empty.
 *   - Messages are never consumed: entries and terms arrive late, in any order, again, or never.  Entries arrive one at
 *     a time.  A leader that is cut off is a leader whose messages do not arrive.  A vote request reaches only nodes that
 *     can still elect its candidate; to any other node it is only a term.
 *   - Acknowledgements, votes and answers are recorded when they are sent.  Their use is a later step.
 *   - Followers do not learn the commit index, and what a node has written is durable at once.
 *   - A restart keeps term, vote and log.  It loses role, commit index, rounds and waiting reads.
 *   - The reader's state machine has applied exactly c, the oldest state that the rule permits.
 *   - Variables that no later step can use are cleared.  FULL=1 keeps those of elections, and lets followers restart.
 *
 * Sizes: N nodes, T terms (2 or 3), W writes, R reads.  R=0 checks Raft alone.  If NEW is not OLD, leaders may change
 * the voters from OLD to NEW by joint consensus.  SHORT is for breadth-first search, which finds the shortest
 * counterexample.  BAD breaks the rule in one place; the checker must find a read that breaks the property:
 */
#define CACHED 1        /* (a) a voter answers with a term that it read earlier */
#define UNTAGGED 2      /* (a) an answer to an earlier round is counted */
#define JOIN 3          /* (b) a read joins a round under way */
#define OLD_C 4         /* (c) the second round takes the commit index of the first */
#define NOT_READY 5     /* (d) a leader need not have committed an entry of its term */
#define READY_FIRST 6   /* (d) the node checks that it is ready before it notes T */
#define MINORITY 7      /* (e) the leader's own answer is enough */
#define LISTENER 8      /* (e) answers of nodes that do not vote are counted; N=4 */
#define FORGET 9        /* (f) a restart loses term and vote */
#define BLANK 10        /* (f) a restarted voter answers 0 until it has loaded its term */
#define NO_WAIT 11      /* the node answers before its state machine has applied c */
#define NO_CHECK 12     /* the node does not check that it still leads in T; must PASS: the order of step 1 suffices */
#define FIXED 13        /* a change of voters goes unnoticed */
#define NEW_ONLY 14     /* while joint, a majority of NEW is enough */
#define SELF 15         /* a leader that is not in NEW counts itself; N=4 */
#ifndef BAD
#define BAD 0
#endif
#ifndef N
#define N 3
#endif
#ifndef T
#define T 3
#endif
#ifndef W
#define W 2
#endif
#ifndef R
#define R 2
#endif
#ifndef OLD
#define OLD 7                                        /* a set of voters has one bit a node */
#endif
#ifndef NEW
#define NEW OLD
#endif
#ifndef FULL
#define FULL 0
#endif
#define RESTARTS (FULL || BAD==FORGET || BAD==BLANK) /* else a follower that restarts has nothing to lose */
#define FOLLOWER 0
#define CANDIDATE 1
#define LEADER 2
#define NONE 9
#define WON 15                                       /* votes[n] once they are a majority */
#define WAITING 1                                    /* a read is not started (0), WAITING, IN(a round) or OVER */
#define IN(r) (2+(r))
#define OVER 9
#define ASKED 3                                      /* a round is not begun (0), has T (1), is ready (2), ASKED or OVER */

byte term[N]; byte voted[N]; byte lt[N]; byte ln[N]; /* persistent: term, vote, log */
byte role[N]; byte votes[N]; byte ci[N];             /* volatile: role, votes received, commit index */
byte boss[4]; byte bt[4]; byte bl[4]; byte top[4];   /* of a term: leader, the leader's log when elected, its length now */
byte ack[4*N];                                       /* of a term: what each node has acknowledged */
byte jt[4]; byte nt[4];                              /* of a term: where its leader has put JOINT and NEW */
byte wr; byte seen; byte ct; byte cl;                /* writes; newest value that a client has seen; longest log committed */
byte st[2]; byte at[2]; byte low[2];                 /* of a read: state, node, least value it may return */
byte ph[2]; byte who[2]; byte rt[2]; byte rc[2];     /* of a round: state, node, T, value at c, */
byte rk[2]; byte ans[2]; byte nr;                    /* voters, nodes that are in a term <= T; rounds begun */
byte cache[N];                                       /* CACHED: a term.  BLANK: 1 while the term is not loaded */
#ifdef SHORT
byte a; byte b; byte x; byte y; byte v; byte i; byte m; byte k;
#define STEP(guard, body) :: d_step { guard -> body; a=0; b=0; x=0; y=0; v=0; i=0; m=0; k=0 }
#else
hidden byte a; hidden byte b; hidden byte x; hidden byte y; hidden byte v; hidden byte i; hidden byte m; hidden byte k;
#define STEP(guard, body) :: d_step { guard -> body; i=0 }
#endif
#define WHEN(c, s) if :: c -> s :: else fi

#define BIT(n) (1<<(n))
#define POP(s) (((s)&1)+(((s)>>1)&1)+(((s)>>2)&1)+(((s)>>3)&1))
#define MAJ(s,c) (2*POP((s)&(c)) > POP(c))
#define QUORUM(s,k) ((k==2 || MAJ(s,OLD)) && (k==0 || MAJ(s,NEW)))       /* k: 0 OLD, 1 joint, 2 NEW */
#define ASKS(n,r) (ph[r]>0 && ph[r]<OVER && who[r]==n)
#define BUSY(n) (ASKS(n,0) || ASKS(n,1))
#define WAITS(n,j) (st[j]==WAITING && at[j]==n)
#define SOME(t) (term[0]>=t || term[1]>=t || term[2]>=t || term[N-1]>=t)
#define ALL(t) (term[0]>=t && term[1]>=t && term[2]>=t && term[N-1]>=t)
#define READY(n) (role[n]==LEADER && (ci[n]>bl[term[n]] || BAD==NOT_READY))
#define SAYS(n) (BAD==CACHED -> cache[n] : (BAD==BLANK && cache[n] -> 0 : term[n]))
#define COUNT(s,c,n) (2*POP((s)&(BAD==LISTENER -> 15 : (BAD==SELF -> c|BIT(n) : c))) > POP(c))
#define HEARD(r,n) (BAD==MINORITY || (BAD==UNTAGGED && who[0]==n && rt[0]<=rt[r] && MAJ(ans[0]|BIT(n),OLD)) || \
  ((rk[r]==2 || (rk[r]==1 && BAD==NEW_ONLY) || COUNT(ans[r]|BIT(n),OLD,n)) && (rk[r]==0 || COUNT(ans[r]|BIT(n),NEW,n))))

inline common(A,LA,B,LB) {                           /* v = length of the common prefix of two logs */
  a=A; x=LA; b=B; y=LB;
  do :: a>b -> x=bl[a]; a=bt[a] :: a<b -> y=bl[b]; b=bt[b] :: else -> break od;
  v=(x<y -> x : y)
}
inline value(A,LA) {                                 /* v = the register after a log: its number of writes */
  a=A; x=LA; v=0;
  do
  :: a==0 -> break
  :: else -> WHEN(x>bl[a], v=v+x-bl[a]-1-(jt[a]>0 && jt[a]<=x)-(nt[a]>0 && nt[a]<=x); x=bl[a]); a=bt[a]
  od
}
inline voters(A,LA) {                                /* k = the newest voters in a log; x = where JOINT is, if k==1 */
  a=A; x=LA; k=0;
  do
  :: a==0 || k>0 || NEW==OLD -> break
  :: else ->
     if
     :: nt[a]>0 && nt[a]<=x -> k=2
     :: jt[a]>0 && jt[a]<=x && !(nt[a]>0 && nt[a]<=x) -> k=1; x=jt[a]
     :: else -> x=(x>bl[a] -> bl[a] : x); a=bt[a]
     fi
  od
}
inline follow(n,t) {                                 /* n becomes a follower in term t */
  WHEN(role[n]==LEADER, for (i : 0 .. N-1) { ack[term[n]*N+i]=0 });
  WHEN(term[n]<t, voted[n]=NONE);
  WHEN(!BUSY(n), ci[n]=0);
  term[n]=t; role[n]=FOLLOWER; votes[n]=0;
  for (i : 1 .. T-1) { WHEN(i<t && ALL(i+1) && BAD!=FORGET, top[i]=0) }  /* nobody takes entries of term i any more */
}
inline fail(j) { st[j]=OVER; low[j]=0; at[j]=0 }
inline close(r) {                                    /* the round is over, and so are its reads */
  WHEN(st[0]==IN(r), fail(0)); WHEN(st[1]==IN(r), fail(1));
  WHEN(role[who[r]]!=LEADER, ci[who[r]]=0);
  ph[r]=OVER;
  WHEN(BAD!=UNTAGGED && BAD!=OLD_C, ans[r]=0; rt[r]=0; rc[r]=0; rk[r]=0; who[r]=0)
}
inline restart(n) {
  m=term[n]; follow(n,m); ci[n]=0;
  WHEN(WAITS(n,0), fail(0)); WHEN(WAITS(n,1), fail(1));
  WHEN(ASKS(n,0), close(0)); WHEN(ASKS(n,1), close(1));
  WHEN(BAD==FORGET, term[n]=0; voted[n]=NONE);
  WHEN(BAD==BLANK, cache[n]=1)
}
inline commit(n) {                                   /* what a majority has, if it ends in an entry of the leader's term */
  voters(lt[n],ln[n]); m=ln[n]+1; y=0;
  do
  :: m>0 && !QUORUM(y,k) -> m--; y=BIT(n); for (i : 0 .. N-1) { WHEN(ack[term[n]*N+i]>=m, y=y|BIT(i)) }
  :: else -> break
  od;
  WHEN(m>bl[term[n]] && m>ci[n],
    ci[n]=m; value(term[n],m); seen=(v>seen -> v : seen);
    WHEN(R==0, common(ct,cl,term[n],m); assert(v==cl || v==m); WHEN(m>cl, ct=term[n]; cl=m)))
}
inline begin(n) {
  WHEN(WAITS(n,0), st[0]=IN(nr)); WHEN(WAITS(n,1), st[1]=IN(nr));
  m=nr; nr++; who[m]=n; ph[m]=1; rt[m]=term[n];
  WHEN(BAD==READY_FIRST && !READY(n), close(m))
}
inline ready(r,n) {
  WHEN(BAD==READY_FIRST, rt[r]=term[n]);
  if :: READY(n) || BAD==READY_FIRST -> ph[r]=2 :: else -> close(r) fi
}
inline ask(r,n) {
  voters(lt[n],ln[n]); rk[r]=(BAD==FIXED -> 0 : k);
  value(lt[n],(BAD==NO_WAIT -> 0 : ci[n])); rc[r]=v; ph[r]=ASKED;
  WHEN(BAD==OLD_C && r==1 && who[0]==n && rt[0]==rt[1], rc[1]=rc[0])
}
inline finish(r,n) {
  WHEN((role[n]==LEADER && term[n]==rt[r]) || BAD==NO_CHECK,
    assert(st[0]!=IN(r) || rc[r]>=low[0]); assert(st[1]!=IN(r) || rc[r]>=low[1]);          /* the property */
    seen=(rc[r]>seen -> rc[r] : seen));
  close(r)
}
#define READ(j,r) /* read j starts; steps of round r: is n ready? ask, answer, finish; or it takes too long and fails */ \
  STEP(j<R && role[n]==LEADER && st[j]==0 && (j==0 || st[0]>0) && (seen>0 || j<R-1), /* the last read can miss something */ \
       st[j]=WAITING; at[j]=n; low[j]=seen) \
  STEP(ph[r]==1 && who[r]==n, ready(r,n)) \
  STEP(ph[r]==2 && who[r]==n, ask(r,n)) \
  STEP(ph[r]==ASKED && who[r]!=n && !(ans[r]&BIT(n)) && SAYS(n)<=rt[r], ans[r]=ans[r]|BIT(n)) \
  STEP(ph[r]==ASKED && who[r]==n && HEARD(r,n), finish(r,n)) \
  STEP(ASKS(n,r), close(r))
#define VOTE(q) /* for q, if its log is at least as new */ STEP( \
  role[q]==CANDIDATE && votes[q]!=WON && (term[q]>term[n] || (term[q]==term[n] && voted[n]==NONE)) \
  && (lt[q]>lt[n] || (lt[q]==lt[n] && ln[q]>=ln[n])), \
  WHEN(term[q]>term[n], follow(n,term[q])); voted[n]=q; votes[q]=votes[q]|BIT(n); \
  voters(lt[q],ln[q]); WHEN(QUORUM(votes[q],k), votes[q]=WON))
#define HEAR(t) STEP(t<=T && term[n]<t && SOME(t), follow(n,t))
#define TAKE(t) /* the next entry of the leader of t; own entries that differ are dropped */ STEP( \
  t<=T && top[t]>0 && boss[t]!=n && term[n]<=t && !(lt[n]==t && ln[n]==top[t]), \
  WHEN(term[n]<t || role[n]!=FOLLOWER, follow(n,t)); \
  common(lt[n],ln[n],t,top[t]); ln[n]=v+1; a=t; do :: ln[n]<=bl[a] -> a=bt[a] :: else -> break od; lt[n]=a; \
  WHEN(a==t && role[boss[t]]==LEADER && term[boss[t]]==t, ack[t*N+n]=ln[n]))
#define APPEND ln[n]++; top[term[n]]=ln[n]

proctype node(byte n) {
  { do
    STEP(term[n]<T && (FULL || boss[term[n]+1]==NONE),           /* campaigns; a leader may do so as well */
         m=term[n]+1; follow(n,m); voted[n]=n; role[n]=CANDIDATE; votes[n]=BIT(n);
         voters(lt[n],ln[n]); WHEN(QUORUM(votes[n],k), votes[n]=WON))
    STEP(role[n]==CANDIDATE && votes[n]==WON,                    /* wins; nobody else can, so the term's votes are cleared */
         assert(boss[term[n]]==NONE);
         for (i : 0 .. N-1) { WHEN(!FULL && term[i]==term[n], voted[i]=NONE; votes[i]=0; role[i]=FOLLOWER) }
         votes[n]=0; role[n]=LEADER; boss[term[n]]=n; bt[term[n]]=lt[n]; bl[term[n]]=ln[n]; lt[n]=term[n]; APPEND)
    VOTE((n+1)%N) VOTE((n+2)%N) VOTE((n+3)%N) HEAR(2) HEAR(3) TAKE(1) TAKE(2) TAKE(3)
    STEP(role[n]==LEADER || RESTARTS, restart(n))
    STEP(role[n]==LEADER && wr<W, wr++; APPEND)
    STEP(role[n]==LEADER && ln[n]>ci[n], commit(n))
    STEP(NEW!=OLD && role[n]==LEADER && jt[term[n]]==0 && nt[term[n]]==0,
         voters(lt[n],ln[n]); WHEN(k==0, APPEND; jt[term[n]]=ln[n]))
    STEP(NEW!=OLD && role[n]==LEADER && nt[term[n]]==0,
         voters(lt[n],ln[n]); WHEN(k==1 && ci[n]>=x, APPEND; nt[term[n]]=ln[n]))
    STEP(!BUSY(n) && (WAITS(n,0) || WAITS(n,1)), begin(n))
    READ(0,0) READ(1,1)
    STEP(BAD==JOIN && ph[0]==ASKED && who[0]==n && st[1]==0, st[1]=IN(0); low[1]=seen)
    STEP(BAD==CACHED && cache[n]!=term[n], cache[n]=term[n])
    STEP(BAD==BLANK && cache[n], cache[n]=0)
    od } unless { R>0 && st[0]==OVER && (R<2 || st[1]==OVER) }
}

init {                                               /* node 0 leads term 1; nothing is committed */
  d_step {
    for (i : 0 .. T) { boss[i]=NONE }
    for (i : 0 .. N-1) { term[i]=1; voted[i]=NONE }
    role[0]=LEADER; boss[1]=0; lt[0]=1; ln[0]=1; top[1]=1; i=0
  }
  atomic { for (i : 0 .. N-1) { run node(i) } i=0 }
}
