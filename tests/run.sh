#!/usr/bin/env bash
# Builds everything once and runs the tests, two programs at a time; with names of test projects (Stout.Tests, …) runs only those.
# The last line is "N passed, N failed", with ", N skipped" where some were; skipped tests say why.
# Without names, a few planted bugs are among them, drawn by the commit: each has to make its tests fail (tests/mutations).
# Needs the .NET 10 SDK; installs what else it needs where apt-get is there, and starts the servers that can be had (tests/servers).
# Stores that STOUT_POSTGRES, STOUT_PGBOUNCER, STOUT_SQLSERVER, STOUT_AZURE_TABLES, STOUT_COSMOS and STOUT_PROMETHEUS name are used as they are.
set -uo pipefail
cd "$(dirname "$0")/.."
configuration=Release
results=artifacts/test-results
lock_files=" Where packages are not those of the lock files, dotnet restore src/Packages.proj --force-evaluate writes them anew."

. tests/install.sh

# Sums an attribute over the <assembly> elements of an xUnit report.
count() { grep -o '<assembly [^>]*' "$1" | grep -o " $2=\"[0-9]*\"" | tr -dc '0-9\n' | awk '{ n += $1 } END { print n + 0 }'; }

projects=("$@")
if [ ${#projects[@]} -eq 0 ]; then
  for project in tests/*.Tests/*.Tests.csproj; do projects+=("$(basename "$project" .csproj)"); done
fi
for name in "${projects[@]}"; do
  [ -f "tests/$name/$name.csproj" ] || fail "there is no test project $name."
done

command -v dotnet >/dev/null || fail "the .NET 10 SDK is needed: https://dotnet.microsoft.com/download"
case " ${projects[*]} " in
  *" SectionedDocuments.Tests "* | *" Stout.Sqlite.Tests "* | *" Stout.Argon.Tests "*) install strace "to trace the system calls of writes and acknowledgements" ;;
esac
case " ${projects[*]} " in *" SectionedDocuments.Page.Tests "*)
  install chromium "to drive the sample's page as a person would"
  install npm "to restore the page's charts"
  ;;
esac
case " ${projects[*]} " in *" Stout.Sqlite.Tests "*) install sqlite3 "to read a store's files as a person would" ;; esac

install uconv "for its ICU, by which tests run under several cultures" icu-devtools

# The programs that compute, and those that wait for servers and processes: the longest first, and one of each at a time. Others run with those that compute.
computing=(Stout.Experiments.Tests Packages.Tests Stout.Argon.Tests Stout.Director.Tests Stout.Tests Stout.Documents.Tests)
waiting=(Replicas.Tests Stout.PostgreSql.Tests SectionedDocuments.Tests Stout.Orleans.Tests Stout.AzureTables.Tests SectionedDocuments.Page.Tests Samples.Tests
  Stout.Cosmos.Tests Stout.Orleans.Chaos.Tests Stout.Sqlite.Tests)
# These measure: nothing runs beside them.
alone=(Stout.Budgets.Tests)
# A program that has not ended by then has failed.
longest=30m

state=$(mktemp -d)
mkdir "$state/servers" "$state/done"
# Each run writes its name here when it has ended.
mkfifo "$state/ended"
exec 3<>"$state/ended"
named() { case " ${projects[*]} " in *" $1 "*) ;; *) return 1 ;; esac; }
# among NAME LIST…: whether the list has the name.
among() { local name=$1; shift; case " $* " in *" $name "*) ;; *) return 1 ;; esac; }

# serve VARIABLE SERVER PROJECT…: where one of the projects runs and the variable names no store, starts the server.
serve() {
  local variable=$1 server=$2 project
  shift 2
  [ -z "${!variable:-}" ] || return 0
  for project; do
    named "$project" || continue
    echo "Starting $server, since $variable names no store."
    export "$variable=$(bash "tests/servers/$server.sh" start "$state/servers/$server")"
    [ -n "${!variable}" ] || fail "$server did not start."
    printf 'export %s=%q\n' "$variable" "${!variable}" >> "$state/variables"
    return 0
  done
}
serve_all() {
  serve STOUT_POSTGRES postgres Stout.PostgreSql.Tests Stout.Orleans.Tests Samples.Tests
  serve STOUT_PGBOUNCER pgbouncer Stout.PostgreSql.Tests
  serve STOUT_AZURE_TABLES azurite Stout.AzureTables.Tests Stout.Orleans.Tests
  serve STOUT_COSMOS cosmos Stout.Cosmos.Tests
  serve STOUT_PROMETHEUS prometheus Stout.Director.Tests
}
end() {
  local folder job
  # What still runs, where this script fails or is stopped.
  for job in $(jobs -p); do
    # shellcheck disable=SC2046
    kill $(ps -o pid= --ppid "$job") "$job" 2>/dev/null
  done
  wait
  for folder in "$state"/servers/*/; do
    [ ! -d "$folder" ] || bash "tests/servers/$(basename "$folder").sh" stop "$folder"
  done
  rm -rf "$state"
}
trap end EXIT

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 STOUT_INSTALL=yes
# The servers start beside the build.
: > "$state/variables"
serve_all &
serving=$!
echo "Building ($configuration)."
if [ $# -eq 0 ]; then
  dotnet build Stout.sln -c $configuration -warnaserror -v quiet -p:RestoreLockedMode=true || fail "the build failed.$lock_files"
else
  for name in "${projects[@]}"; do
    dotnet build "tests/$name" -c $configuration -warnaserror -v quiet -p:RestoreLockedMode=true || fail "the build of $name failed.$lock_files"
  done
fi
wait $serving || fail "a server did not start."
. "$state/variables"

rm -rf "$results"
mkdir -p "$results"
passed=0 failed=0 skipped=0

# run NAME: runs a program of tests, or planted.sh, into its log; leaves the exit code and the seconds.
run() {
  local name=$1 program began=$SECONDS
  if [ "$name" = planted ]; then
    timeout -k 30 $longest tests/mutations/planted.sh --sample 3 --seed "$(git rev-parse HEAD)" > "$results/planted.log" 2>&1
  elif ! program=$(ls -d "tests/$name/bin/$configuration"/*/"$name.dll"); then
    echo "$name has not been built." > "$results/$name.log"
    false
  else
    timeout -k 30 $longest dotnet "$program" -noLogo -noColor -result-xml "$results/$name.xml" > "$results/$name.log" 2>&1
  fi
  echo "$? $((SECONDS - began))" > "$state/done/$name"
  echo "$name" >&3
}

# report NAME: the log of a run that has ended in one piece, and its counts.
report() {
  local name=$1 report="$results/$1.xml" exit_code seconds caught missed not_run project_failed
  read -r exit_code seconds < "$state/done/$name"
  echo "== $name ($seconds s)"
  cat "$results/$name.log"
  [ "$exit_code" -ne 124 ] || echo "$name has not ended within $longest."
  if [ "$name" = planted ]; then
    # The last line has the numbers.
    caught=$(planted passed) missed=$(planted failed) not_run=$(planted skipped)
    [ "$exit_code" -eq 0 ] || [ "${missed:-0}" -gt 0 ] || missed=1
    passed=$((passed + ${caught:-0}))
    failed=$((failed + ${missed:-1}))
    skipped=$((skipped + ${not_run:-0}))
    return
  fi
  # A run that died, or whose report is missing or empty, is a failure whatever else it says.
  if [ ! -s "$report" ] || [ "$(count "$report" total)" -eq 0 ]; then
    echo "$name reported no tests (exit code $exit_code)."
    failed=$((failed + 1))
    return
  fi
  project_failed=$(($(count "$report" failed) + $(count "$report" errors)))
  [ "$exit_code" -eq 0 ] || [ $project_failed -gt 0 ] || project_failed=1
  passed=$((passed + $(count "$report" passed)))
  failed=$((failed + project_failed))
  skipped=$((skipped + $(count "$report" skipped)))
  grep -o '<reason><!\[CDATA\[[^]]*' "$report" | sed 's/.*CDATA\[/skipped: /' | sort | uniq -c
}

# planted KIND: the number that the command's last line gives for passed, failed or skipped.
planted() { tail -n 1 "$results/planted.log" | grep -o "[0-9]* $1" | tr -dc 0-9; }

# Two queues. One that is empty takes from the other's end.
first=() second=() last=()
for name in "${computing[@]}"; do ! named "$name" || first+=("$name"); done
[ $# -gt 0 ] || first+=(planted)
for name in "${projects[@]}"; do
  among "$name" "${computing[@]}" "${waiting[@]}" || { if among "$name" "${alone[@]}"; then last+=("$name"); else first+=("$name"); fi; }
done
for name in "${waiting[@]}"; do ! named "$name" || second+=("$name"); done
declare -A queue_of=()
next() { # QUEUE OTHER: starts the next run of the queue, or else one of the other's.
  local -n queue=$1 other=$2
  local name
  if [ ${#queue[@]} -gt 0 ]; then
    name=${queue[0]}
    queue=("${queue[@]:1}")
  elif [ ${#other[@]} -gt 0 ]; then
    name=${other[-1]}
    unset 'other[-1]'
  else
    return
  fi
  queue_of[$name]="$1 $2"
  run "$name" &
}
next first second
next second first
while [ ${#queue_of[@]} -gt 0 ]; do
  read -r name <&3
  report "$name"
  queues=${queue_of[$name]}
  unset "queue_of[$name]"
  # shellcheck disable=SC2086
  next $queues
done
for name in "${last[@]}"; do
  # Beside this script, so that a signal ends both.
  run "$name" &
  read -r name <&3
  report "$name"
done

# What failed once more, where it is found: at the end.
[ $failed -eq 0 ] || awk '/\[FAIL\]$/ { failed = 1; print; next } failed && /^      / { print; next } { failed = 0 }' "$results"/*.log
summary="$passed passed, $failed failed"
[ $skipped -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
