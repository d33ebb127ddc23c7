#!/usr/bin/env bash
# Changes the files of a package in small ways, one at a time, and looks whether a test fails. Takes hours for a whole package.
#   tests/mutations/run.sh Stout                             # src/Stout/Lanes, Pacing and Documents
#   tests/mutations/run.sh Stout DepartureGate.cs AdmissionControl.cs    # after a change of these
#   tests/mutations/run.sh Stout.Sqlite Sweeper.cs
# Files that the same tests reach are changed in one run, since finding out which test reaches what takes long. Reports are in artifacts/mutations,
# one for each such group. The tests of Stout.PostgreSql use the server that STOUT_POSTGRES names, or one that this script starts.
set -uo pipefail
cd "$(dirname "$0")/../.."
package=${1:?name a package, such as Stout}
shift
export STOUT_SCHEDULES=${STOUT_SCHEDULES:-200}
# The tester talks to the tests by the Microsoft Testing Platform. MSBuild reads these as properties.
export UseMicrosoftTestingPlatformRunner=true TestingPlatformDotnetTestSupport=true
tools=$PWD/artifacts/tools
[ -x "$tools/dotnet-stryker" ] || dotnet tool install dotnet-stryker --version 5.1.0 --tool-path "$tools" || exit 1

server=
config=$PWD/artifacts/mutations.$$.json
end() {
  rm -f "$config"
  [ -z "$server" ] || { tests/servers/postgres.sh stop "$server"; rm -rf "$server"; }
}
trap end EXIT

# A random run or a long schedule says whether it finds a bug, not which mutant it reaches.
slow='FullyQualifiedName!~One_million&FullyQualifiedName!~planted&FullyQualifiedName!~Random_operations&FullyQualifiedName!~at_random'
failed=0

# GROUP TEST-PROJECT FILTER FILE...
mutate() {
  local group=$1 project=$2 filter=$3 files
  shift 3
  files=$(printf '"**/%s", ' "$@")
  cat > "$config" <<JSON
{
  "stryker-config": {
    "project": "$package.csproj",
    "test-projects": ["$PWD/tests/$project/$project.csproj"],
    "test-runner": "mtp",
    "mutate": [${files%, }],
    "test-case-filter": "${filter:+$filter&}$slow",
    "mutation-level": "Standard",
    "ignore-mutations": ["string"],
    "ignore-methods": ["ConfigureAwait"],
    "coverage-analysis": "perTest",
    "additional-timeout": 15000,
    "concurrency": 2,
    "reporters": ["json", "html", "cleartext"]
  }
}
JSON
  echo "== $group: $*"
  (cd "src/$package" && "$tools/dotnet-stryker" -f "$config" -O "../../artifacts/mutations/$group") || failed=1
}

case $package in
  Stout)
    files=("$@")
    [ $# -gt 0 ] || for file in src/Stout/{Pacing,Lanes,Documents}/*.cs; do files+=("$(basename "$file")"); done
    core=() shell=() pacing=() documents=()
    for file in "${files[@]}"; do
      if [ -e "src/Stout/Pacing/$file" ]; then pacing+=("$file")
      elif [ -e "src/Stout/Documents/$file" ]; then documents+=("$file")
      else
        case $file in
          Lane.cs | LaneCommands.cs | LaneClock.cs | AwaitableMessage.cs | CallbackMessage.cs | CallbackLimits.cs | KeyHandle.State.cs | SerializedBytes.cs) shell+=("$file") ;;
          *) core+=("$file") ;;
        esac
      fi
    done
    [ ${#pacing[@]} -eq 0 ] || mutate pacing Stout.Tests '(FullyQualifiedName~Tests.Pacing|FullyQualifiedName~OptionsTests)&FullyQualifiedName!~ClosedLoop' "${pacing[@]}"
    # What surrounds the core: it takes whole clients.
    [ ${#shell[@]} -eq 0 ] || mutate shell Stout.Tests '(FullyQualifiedName~Tests.Client|FullyQualifiedName~Tests.Lanes)&FullyQualifiedName!~ScheduleTests' "${shell[@]}"
    # What drives a core by hand. A mutant of what it decides would leave a client's test waiting until the time limit; these never wait.
    [ ${#core[@]} -eq 0 ] || mutate core Stout.Tests 'FullyQualifiedName~Tests.Lanes&FullyQualifiedName!~HeldBack' "${core[@]}"
    [ ${#documents[@]} -eq 0 ] || mutate documents Stout.Documents.Tests '' "${documents[@]}"
    ;;
  Stout.PostgreSql)
    if [ -z "${STOUT_POSTGRES:-}" ]; then
      server=$(mktemp -d)
      STOUT_POSTGRES=$(tests/servers/postgres.sh start "$server") || exit 1
      export STOUT_POSTGRES
    fi
    [ $# -gt 0 ] || set -- '*.cs'
    mutate Stout.PostgreSql Stout.PostgreSql.Tests 'FullyQualifiedName!~PostgreSqlSetSpecification' "$@"
    ;;
  *)
    [ $# -gt 0 ] || set -- '*.cs'
    mutate "$package" "$package.Tests" 'FullyQualifiedName!~SetSpecification' "$@"
    ;;
esac
exit $failed
