#!/usr/bin/env bash
# Checks the models with Spin: those of the protocol must hold, exhaustively, and each broken variant must fail.
# Usage: models/run.sh [--changed | --record | --lacks] [seconds per run] [model]
#   60 seconds by default; from 120 on the larger runs are made too, and from 1800 on the largest (two readers: 169 million
#   states, 22 minutes, 10.4 GB). The seconds are of processor time: a busy machine takes longer, and finds the same.
#   --changed  makes the runs that checked.txt lacks, and a tenth of the others: another tenth each day, all within ten days
#   --record   makes all runs, and writes those that end as they must into checked.txt
#   --lacks    makes no run, and needs no Spin: says what checked.txt lacks
# checked.txt has a line for each run: a hash of all that decides its outcome, the outcome, the states that Spin stored, and
# the run. The limit decides nothing: a search that it ends is not recorded. --changed and --lacks fail where checked.txt lacks
# a run, or has one that is not made any more.
# Needs spin and a C compiler (Debian: spin, gcc). Two runs at a time, each takes up to 3 GB, the largest more.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checked=$here/checked.txt
asked=all
case ${1:-} in
--changed | --record | --lacks)
    asked=${1#--}
    shift
    ;;
esac
limit=${1:-60}
only=${2:-}
at_once=2
tenth=$(($(date +%s) / 86400 % 10))
compiling="-w -DSAFETY -DVECTORSZ=2048"
searching=-m500000
if [[ $asked != lacks ]]; then
    for tool in spin gcc; do
        command -v "$tool" >/dev/null 2>&1 || { echo "models: SKIPPED, $tool is not installed (Debian: apt-get install spin gcc)"; exit 0; }
    done
fi
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT

declare -A recorded=() known=() made=()
while read -r hash outcome states name; do
    [[ $hash == "#" ]] || recorded[$name]="$hash $outcome $states"
done < <(cat "$checked" 2>/dev/null)
lacking=()
left_out=0
number=0

# The limit from which on the runs that follow are made.
from=0

# check <holds|fails> <model> <flags>...      begins the run, once there is a place for it
# Of a variant that must fail, any counterexample will do. "reversed" has the search begin with the last process, or with the
# last statement of each as well; it is set where that finds one much sooner, often a hundred times.
check() {
    local name="${*:2}" hash
    known[$name]=1
    [[ -z $only || $only == "$2" ]] || return 0
    ((limit >= from)) || return 0
    hash=$(decisive "${@:2}")
    number=$((number + 1))
    if [[ $asked == changed || $asked == lacks ]]; then
        if [[ ${recorded[$name]:-} != "$hash $1 "* ]]; then
            lacking+=("$name")
        elif ((number % 10 != tenth)); then
            left_out=$((left_out + 1))
            return 0
        fi
        [[ $asked == changed ]] || return 0
    fi
    made[$name]=1
    while (($(jobs -pr | wc -l) >= at_once)); do
        wait -n
    done
    run "$hash" "$@" &
}

# What decides the outcome of a run: the model, its flags, how it is compiled and searched. -O and the limits do not.
decisive() {
    {
        cat "$here/$1.pml"
        echo "$* ${reversed:-} ${compressed--DCOLLAPSE} ${options:-} $compiling $searching"
    } | sha256sum | cut -c 1-16
}

# Writes checked.txt anew: the runs that ended as they must, and of the runs that were not made what it had.
record() {
    {
        cat "$all"/*/passed 2>/dev/null
        for name in "${!recorded[@]}"; do
            [[ -z ${known[$name]:-} || -n ${made[$name]:-} ]] || echo "${recorded[$name]} $name"
        done
    } | LC_ALL=C sort -k 4 >"$all/checked"
    { echo "# hash outcome states run; models/run.sh --record writes it"; cat "$all/checked"; } >"$checked"
}

run() {
    local hash=$1 want=$2 model=$3 work got states why mark
    shift 3
    work=$(mktemp -d -p "$all")
    (
        cd "$work" || exit 1
        spin -a "$@" "$here/$model.pml" >spin.txt 2>&1 || exit 1
        # -O2 takes twice as long to compile, and most runs are no faster; a run of some 100,000 states is over before -O1 is
        gcc "${optimized:--O1}" ${reversed:-} ${compressed--DCOLLAPSE} -DMEMLIM="${memory:-3000}" $compiling -o pan pan.c >gcc.txt 2>&1 || exit 1
        ulimit -c 0 -t "$limit"
        exec ./pan ${options:-} $searching >pan.txt 2>&1
    ) 2>/dev/null
    if ! grep -q 'errors:' "$work/pan.txt" 2>/dev/null; then
        got=unfinished
        [[ -s $work/pan.txt ]] || got="no run: $(tail -n 1 "$work/gcc.txt" "$work/spin.txt" 2>/dev/null | tr '\n' ' ')"
    elif ! grep -q 'errors: 0' "$work/pan.txt"; then
        got=fails
    elif grep -qE 'search depth too small|reached -DMEMLIM|Search not completed' "$work/pan.txt"; then
        got=unfinished
    else
        got=holds
    fi
    states=$(awk '/states, stored/ { print $1; exit }' "$work/pan.txt" 2>/dev/null)
    why=$(sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' "$work/pan.txt" 2>/dev/null)
    mark=ok
    [[ $got == "$want" ]] || { mark=WRONG; touch "$all/wrong"; }
    echo "$mark: $model${*:+ $*} $got, wanted $want; ${states:-?} states${why:+; $why}"
    rm -r "$work"
    mkdir "$work"
    [[ $mark != ok ]] || echo "$hash $got ${states:-?} $model${*:+ $*}" >"$work/passed"
}

check holds append
from=120 check holds append -DNO_PROBE
from=1800 memory=12000 check holds append -DREADERS=2
for variant in CLAIM_STORE COMMIT_FIRST BATCH_FIRST NO_ROOM PASS_RESERVED NO_RESOLVE NO_GENERATION NO_ABANDON RAISE_BLIND; do
    optimized=-O0 check fails append -D$variant
done
optimized=-O0 check fails append -DNO_PROBE -DCOMMIT_STORE
check holds append -DSTOPS
optimized=-O0 check fails append -DSTOPS -DEXCLUSIVE
optimized=-O0 check fails append -DSTOPS -DLOCK_FIRST

check holds roll
for variant in RENAME TAIL_EARLY REUSE_PRIVATE ZERO_LATE USE_OWN; do
    optimized=-O0 check fails roll -D$variant
done

check holds recycle
check holds recycle -DRECORDS=3 -DFILES=4
from=120
check holds recycle -DREAD
check holds recycle -DPEEK
from=0
for variant in NO_PINS PINS_FIRST PIN_LATE ZERO_LATE UNSETTLED; do
    optimized=-O0 check fails recycle -D$variant
done
optimized=-O0 check fails recycle -DREAD -DNO_PINS
optimized=-O0 check fails recycle -DREAD -DNO_ZERO
check fails recycle -DRECORDS=3 -DFILES=4 -DNO_LINK_LOOK
reversed=-DREVERSE check fails recycle -DPEEK -DNO_COPY_LOOK
reversed=-DREVERSE check fails recycle -DPEEK -DCOPY_LATE

for mode in 0 1 2; do
    check holds sync -DMODE=$mode
done
from=120
check holds sync -DMODE=0 -DSYNCS=2
check holds sync -DMODE=1 -DSYNCS=2
from=0
optimized=-O0 check fails sync -DMODE=1 -DACK_FIRST
optimized=-O0 check fails sync -DMODE=1 -DACK_FAILED
reversed=-DREVERSE check fails sync -DMODE=0 -DLATE_LOOK
reversed=-DREVERSE check fails sync -DMODE=0 -DNO_LOCK
optimized=-O0 check fails sync -DMODE=0 -DONE_PLACE -DSYNCS=2
reversed=-DREVERSE check fails sync -DONE_SEAL
optimized=-O0 check fails sync -DMODE=1 -DNO_CHECK
optimized=-O0 check fails sync -DMODE=1 -DNO_END
optimized=-O0 check fails sync -DSAME_SEAL

# 28 million states, the most of all at this limit: whole and optimized, they take a quarter less time, and 1.9 GB instead of 1.2
optimized=-O2 compressed= limit=$((2 * limit)) check holds wake
reversed=-DREVERSE check fails wake -DCLEAR_FIRST
for variant in NO_SECOND_LOOK LOOK_FIRST SEQUENCE_LATE SEQUENCE_LAST NEED_FIRST NO_SEQUENCE CLEAR_BLIND LOWER PLAIN; do
    optimized=-O0 check fails wake -D$variant
done
check holds confined
for variant in NO_BARRIER BARRIER_FIRST LOOK_FIRST NO_WAIT CLOSED_FIRST; do
    optimized=-O0 check fails confined -D$variant
done
# Who waits for what never comes is no error there (-E): a cleaner for a segment that nobody fills.
options=-E
for variant in NO_ORDER_RULE COMMIT_FIRST REMOVE_CLEARS CLEAN_STORE TOMB_EARLY NO_HELP NO_CLEANER_HELP; do
    reversed=-DREVERSE optimized=-O0 check fails map-core -D$variant
done
for variant in CLAIMS_PASSED PADS_LINKED NO_LAST_SYNC; do
    reversed=-DREVERSE optimized=-O0 check fails map-core -DDURABLE -D$variant
done
for variant in NO_CHAIN_CHECK FLIP_ORDER COPY_BEFORE_FREEZE PLAIN_WRITE MERGE_ORDER NO_RECHECK; do
    reversed="-DREVERSE -DT_REVERSE" optimized=-O0 check fails map-split -D$variant
done
from=280
check holds map-core
check holds map-core -DSEALED
check holds map-core -DONE_STREAM
check holds map-core -DDURABLE
check holds map-core -DDURABLE -DCOLD_SKIPPED
check holds map-core -DDURABLE -DCOLD_SKIPPED -DBY_WORDS
check fails map-core -DNO_GRACE
check fails map-core -DSEALED -DSLOT_REUSE
check holds map-split
check holds map-reuse
check fails map-reuse -DPIN_LATE
from=0
# gcc takes seven times as long with -O1 for this model.
optimized=-O0 check holds map-merge -DROUNDS=1
for variant in NO_CLAIM NO_TELL NO_FIRST MERGE_ORDER HALF_FREEZE; do
    optimized=-O0 check fails map-merge -DROUNDS=1 -D$variant
done
optimized=-O0 check fails map-merge -DBIRTH_BLIND
for variant in NO_BIRTH NO_CHAIN_CHECK NO_GENERATION NO_RECHECK; do
    reversed="-DREVERSE -DT_REVERSE" optimized=-O0 check fails map-merge -D$variant
done
from=120 check holds map-merge
check holds map-reuse -DONE_WRITER
check fails map-reuse -DONE_WRITER -DEPOCH_EARLY
# A step that becomes one needs no decision: its entry takes one of the copies. What is lost is a step's memory.
check holds map-reuse -DONE_WRITER -DSTEPS=3 -DNO_DECISION
for variant in NO_PIN NO_WAIT NO_VALIDATE NO_GENERATION; do
    reversed=-DREVERSE optimized=-O0 check fails map-reuse -D$variant
done
check holds map-flat
for variant in UNMAP UNMAP_END UNMAP_FIRST NO_LOOK NO_END END_LATE; do
    check fails map-flat -D$variant
done
check holds map-checkpoint
for variant in NO_GRACE P_LATE NO_SYNC NO_IMAGE_P NO_ORDER; do
    reversed=-DREVERSE optimized=-O0 check fails map-checkpoint -D$variant
done
# The read barrier of the array. NO_CHECK leaves out a look that is not needed.
check holds barrier -DR=1 -DW=1 -DOLD=3 -DNEW=6
check holds barrier -DR=0 -DW=1 -DOLD=3 -DNEW=6
from=120
check holds barrier -DR=0 -DW=3 -DFULL=1
check holds barrier -DR=1 -DW=1 -DOLD=1 -DNEW=7
check holds barrier -DR=1 -DW=1 -DOLD=7 -DNEW=1
check holds barrier -DR=1 -DW=1 -DT=2 -DN=4 -DOLD=7 -DNEW=14
check holds barrier -DR=0 -DW=1 -DOLD=1 -DNEW=7
check holds barrier -DR=0 -DW=1 -DOLD=7 -DNEW=1
check holds barrier -DR=0 -DW=1 -DT=2 -DN=4 -DOLD=7 -DNEW=14
from=280
check holds barrier -DR=1 -DW=3
check holds barrier -DR=2 -DW=1 -DFULL=1
check holds barrier -DBAD=NO_CHECK -DR=2 -DW=1
from=0
from=1800 memory=12000 check holds barrier -DR=2 -DW=2
for variant in CACHED NOT_READY MINORITY FORGET BLANK NO_WAIT; do
    optimized=-O0 check fails barrier -DBAD=$variant -DR=1 -DW=1 -DT=2
done
for variant in UNTAGGED JOIN OLD_C; do
    optimized=-O0 check fails barrier -DBAD=$variant -DR=2 -DW=1 -DT=2
done
check fails barrier -DBAD=READY_FIRST -DR=1 -DW=1
check fails barrier -DBAD=LISTENER -DN=4 -DR=1 -DW=1 -DT=2
check fails barrier -DBAD=FIXED -DR=1 -DW=1 -DT=2 -DOLD=1 -DNEW=7
check fails barrier -DBAD=NEW_ONLY -DR=1 -DW=1 -DT=2 -DOLD=7 -DNEW=1
check fails barrier -DBAD=SELF -DN=4 -DR=1 -DW=1 -DT=2 -DOLD=1 -DNEW=14
# Values of the array that are written once: a design.
check holds once -DE=2 -DL=7
from=120
check holds once -DE=2 -DL=7 -DT=3
check holds once -DE=2 -DL=7 -DCRASHES=2
from=0
optimized=-O0 check fails once -DE=2 -DL=7 -DT=3 -DINDEX_ONLY
for variant in IN_PLACE NO_FLOOR FLOOR_APPLIED FLOOR_KEPT FLOOR_FIRST FLOOR_LATE CARRY_REF DROP_EARLY FLUSH_LAST NO_CUT CUT_ALL NO_TABLE; do
    optimized=-O0 check fails once -DE=2 -DL=7 -D$variant
done
check fails once -DE=2 -DL=7 -DLINK_PENDING
wait

if [[ $asked == record ]]; then
    record
fi
result=0
[[ ! -e $all/wrong ]] || result=1
if [[ $asked == changed || $asked == lacks ]]; then
    for name in "${lacking[@]}"; do
        result=1
        echo "models: checked.txt lacks $name; models/run.sh --record $limit ${name%% *} writes it"
    done
    for name in "${!recorded[@]}"; do
        [[ -n ${known[$name]:-} ]] || { result=1; echo "models: checked.txt has $name, which is not made any more"; }
    done
fi
[[ $asked != changed ]] || echo "models: ${#made[@]} runs made; $left_out left out, as checked.txt has them"
exit "$result"
