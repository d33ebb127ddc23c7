#!/usr/bin/env bash
# Plants the bugs of tests/mutations/planted one by one in a copy of the tree, and fails where a test that should catch one passes.
#   tests/mutations/planted.sh                                # all of them
#   tests/mutations/planted.sh cosmos-retry sqlite-claim      # these: names of files without .planted
#   tests/mutations/planted.sh --sample 3 [--seed TEXT]       # as many, of one test project, drawn by the text
#   tests/mutations/planted.sh --check                        # only: does each entry still apply, and do its tests exist?
# The last line is "N passed, N failed", with ", N skipped" for entries whose tests need a server that no variable names.
# The copy stays in artifacts/planted, so that the next run builds only what has changed.
set -uo pipefail
cd "$(dirname "$0")/../.."
configuration=Release
entries=tests/mutations/planted
copy=$PWD/artifacts/planted/tree
logs=$PWD/artifacts/planted/logs
end=120 # seconds: a test that a bug keeps from ending is not one that fails

fail() { echo "planted.sh: $*" >&2; exit 1; }

sample= seed= check= names=()
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=${2:?how many?}; shift ;;
    --seed) seed=${2:?which text?}; shift ;;
    --check) check=yes ;;
    -*) fail "there is no option $1." ;;
    *) names+=("$1") ;;
  esac
  shift
done
if [ ${#names[@]} -eq 0 ]; then
  for entry in "$entries"/*.planted; do names+=("$(basename "$entry" .planted)"); done
fi

passed=0 failed=0 skipped=0
good() { passed=$((passed + 1)); [ -n "$check" ] || echo "caught   $1"; }
bad() { failed=$((failed + 1)); echo "FAILED   $1: $2"; }
skip() { skipped=$((skipped + 1)); echo "skipped  $1: $2"; }

# read_entry NAME: sets file, project, rule, tests, before and after, and unknown to the first line that the format does not have.
read_entry() {
  local entry=$entries/$1.planted header
  header=$(sed '/^--- before$/,$d' "$entry")
  file=$(sed -n 's/^file: *//p' <<< "$header")
  project=$(sed -n 's/^project: *//p' <<< "$header")
  rule=$(sed -n 's/^rule: *//p' <<< "$header")
  # A test a line: each after "tests:", or below it and indented.
  mapfile -t tests < <(sed -n 's/^\(tests:\)\{0,1\}  *\([^ ].*\)$/\2/p' <<< "$header")
  unknown=$(grep -v -m 1 '^\(file\|project\|tests\|rule\):\|^ \|^$' <<< "$header")
  before=$(sed '1,/^--- before$/d; /^--- after$/,$d' "$entry")
  after=$(sed '1,/^--- after$/d' "$entry")
}

# problem_of NAME: what keeps the entry from applying, of what read_entry has set; empty if it applies.
problem_of() {
  local text rest test method
  [ -z "$unknown" ] || { echo "no such line belongs above the code: $unknown"; return; }
  [ -n "$file" ] && [ -n "$project" ] && [ -n "$rule" ] && [ ${#tests[@]} -gt 0 ] && [ -n "$before" ] || { echo "file, project, tests, rule or before is missing."; return; }
  [ "$before" != "$after" ] || { echo "before and after are the same."; return; }
  [ -f "$file" ] || { echo "there is no file $file."; return; }
  [ -f "tests/$project/$project.csproj" ] || { echo "there is no test project $project."; return; }
  text=$(cat "$file")
  rest=${text#*"$before"}
  [ "$rest" != "$text" ] || { echo "$file no longer contains what the entry replaces."; return; }
  [ "${rest#*"$before"}" = "$rest" ] || { echo "$file contains more than once what the entry replaces."; return; }
  for test in "${tests[@]}"; do
    method=${test##*.}
    grep -rqw --include='*.cs' -- "$method" tests src/Stout.Testing.Specification || { echo "no test is named $test."; return; }
  done
}

# plant FILE: replaces before by after in the copy.
plant() {
  local text
  text=$(cat "$1"; echo .)
  text=${text%.}
  printf '%s' "${text/"$before"/"$after"}" > "$1"
}

# Draws: the first entry by the hash of seed and name gives the project, so that a sample builds one project.
draw() {
  local ordered name drawn=() first=
  mapfile -t ordered < <(for name in "${names[@]}"; do echo "$(printf '%s %s' "$seed" "$name" | sha256sum | cut -c 1-64) $name"; done | sort | cut -d ' ' -f 2)
  for name in "${ordered[@]}"; do
    read_entry "$name"
    first=${first:-$project}
    [ "$project" != "$first" ] || drawn+=("$name")
  done
  names=("${drawn[@]:0:$sample}")
}

# Brings the copy up to the tree. A file that differs gets the present time, as a build looks at the times.
bring_copy() {
  local path listed
  mkdir -p "$copy" "$logs"
  listed=$(git ls-files -co --exclude-standard) || fail "git can't list the tree's files."
  while IFS= read -r path; do
    [ -f "$path" ] || continue
    cmp -s "$path" "$copy/$path" && continue
    mkdir -p "$copy/$(dirname "$path")"
    cp "$path" "$copy/$path"
    touch "$copy/$path"
  done <<< "$listed"
  (cd "$copy" && find . -type f -not -path '*/bin/*' -not -path '*/obj/*' -not -path './artifacts/*' | sed 's|^\./||') | sort |
    comm -23 - <(for path in $listed; do [ ! -f "$path" ] || echo "$path"; done | sort) | while IFS= read -r path; do rm -f "$copy/$path"; done
}

build() { (cd "$copy" && dotnet build "tests/$1" -c $configuration -v quiet -p:RunAnalyzersDuringBuild=false -p:TreatWarningsAsErrors=false) > "$2" 2>&1; }

# run_tests PROJECT LOG TEST…: runs the tests, and leaves "RESULT TYPE.METHOD" of each case in LOG.results.
run_tests() {
  local project=$1 log=$2 test arguments=() program exit_code
  shift 2
  for test; do arguments+=(-method "$test"); done
  rm -f "$log.xml"
  program=$(ls -d "$copy/tests/$project/bin/$configuration"/*/"$project.dll")
  (cd "$copy" && timeout -k 10 $end dotnet "$program" -noLogo -noColor "${arguments[@]}" -xml "$log.xml") > "$log" 2>&1
  exit_code=$?
  : > "$log.results"
  [ ! -f "$log.xml" ] || grep -o '<test [^>]*>' "$log.xml" | awk '
    function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    { print attribute("result"), attribute("type") "." attribute("method") }' > "$log.results"
  [ $exit_code -ne 124 ] && [ $exit_code -ne 137 ]
}

checked=()
for name in "${names[@]}"; do
  [ -f "$entries/$name.planted" ] || fail "there is no entry $name."
  read_entry "$name"
  problem=$(problem_of)
  if [ -n "$problem" ]; then bad "$name" "$problem"; else checked+=("$name"); fi
done
names=("${checked[@]}")

if [ -n "$check" ]; then
  passed=${#names[@]}
elif [ ${#names[@]} -gt 0 ]; then
  export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
  [ -z "$sample" ] || draw
  bring_copy
  declare -A of_project=()
  for name in "${names[@]}"; do read_entry "$name"; of_project[$project]+="$name "; done
  for project in $(printf '%s\n' "${!of_project[@]}" | sort); do
    read -ra names <<< "${of_project[$project]}"
    # First without a bug: a test that fails anyway catches nothing.
    sound=()
    for name in "${names[@]}"; do read_entry "$name"; sound+=("${tests[@]}"); done
    mapfile -t sound < <(printf '%s\n' "${sound[@]}" | sort -u)
    build "$project" "$logs/$project.build" || { cat "$logs/$project.build"; fail "$project can't be built."; }
    run_tests "$project" "$logs/$project" "${sound[@]}" || fail "the tests of $project did not end in $end s without a bug: $logs/$project"
    for name in "${names[@]}"; do
      of=$project
      read_entry "$name"
      project=$of problem= need=
      for test in "${tests[@]}"; do
        if ! grep -q " ${test//./\\.}\$" "$logs/$project.results"; then problem="there is no test $test in $project."
        elif grep -q "^Fail ${test//./\\.}\$" "$logs/$project.results"; then problem="$test fails without the bug."
        elif ! grep -q "^Pass ${test//./\\.}\$" "$logs/$project.results"; then need="$test is skipped here."
        fi
      done
      if [ -n "$problem" ]; then bad "$name" "$problem"; continue; fi
      if [ -n "$need" ]; then skip "$name" "$need"; continue; fi

      plant "$copy/$file"
      if ! build "$project" "$logs/$name.build"; then problem="it can't be built: $(grep -m 1 'error' "$logs/$name.build")"
      elif ! run_tests "$project" "$logs/$name" "${tests[@]}"; then problem="its tests did not end in $end s."
      else
        for test in "${tests[@]}"; do
          grep -q "^Fail ${test//./\\.}\$" "$logs/$name.results" || problem="$test passes with the bug."
        done
      fi
      cp "$file" "$copy/$file"
      touch "$copy/$file"
      if [ -n "$problem" ]; then bad "$name" "$problem"; else good "$name"; fi
    done
  done
fi
summary="$passed passed, $failed failed"
[ $skipped -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed -eq 0 ]
