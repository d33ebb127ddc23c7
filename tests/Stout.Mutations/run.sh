#!/usr/bin/env bash
# Changes src/Stout/Lanes, src/Stout/Pacing and src/Stout/Documents in small ways, one at a time, and looks whether a test fails. Takes hours for all of it;
# with names of files (LaneCore.Sending.cs DepartureGate.cs) only those. Files that the same tests reach are changed in one run, since
# finding out which test reaches what takes long. Reports are in artifacts/mutations, one for each such group.
set -uo pipefail
cd "$(dirname "$0")"
root=../..
export STOUT_SCHEDULES=${STOUT_SCHEDULES:-200}
tools=$PWD/$root/artifacts/tools
[ -x "$tools/dotnet-stryker" ] || dotnet tool install dotnet-stryker --version 5.1.0 --tool-path "$tools" || exit 1

files=("$@")
[ ${#files[@]} -gt 0 ] || for file in $root/src/Stout/{Pacing,Lanes,Documents}/*.cs; do files+=("$(basename "$file")"); done
declare -A tests=(
  # The laws, and the options that choose one.
  [pacing]='(FullyQualifiedName~Tests.Pacing|FullyQualifiedName~OptionsTests)&FullyQualifiedName!~ClosedLoop'
  # What surrounds the core: it takes whole clients.
  [shell]='(FullyQualifiedName~Tests.Client|FullyQualifiedName~Tests.Lanes)&FullyQualifiedName!~ScheduleTests'
  # The typed layer, with its schedules.
  [documents]='FullyQualifiedName~Documents.Tests'
  # What drives a core by hand. A mutant of what it decides would leave a client's test waiting until the time limit; these never wait.
  [core]='FullyQualifiedName~Tests.Lanes&FullyQualifiedName!~HeldBack'
)
# A planted bug says whether the schedules find it, not whether they find a mutant.
slow='FullyQualifiedName!~One_million&FullyQualifiedName!~planted'
declare -A mutate=()
for file in "${files[@]}"; do
  case $file in
    Lane.cs | LaneCommands.cs | LaneClock.cs | AwaitableMessage.cs | CallbackMessage.cs | CallbackLimits.cs | KeyHandle.State.cs | SerializedBytes.cs) group=shell ;;
    *)
      group=core
      [ -e "$root/src/Stout/Pacing/$file" ] && group=pacing
      [ -e "$root/src/Stout/Documents/$file" ] && group=documents
      ;;
  esac
  mutate[$group]+="${mutate[$group]:+, }\"**/$file\""
done

failed=0
config=stryker-config.$$.json
trap 'rm -f "$config"' EXIT
for group in "${!mutate[@]}"; do
  filter="${tests[$group]}&$slow"
  sed -e "s#\"mutate\": .*#\"mutate\": [${mutate[$group]}],#" -e "s#\"test-case-filter\": .*#\"test-case-filter\": \"${filter//&/\\&}\",#" stryker-config.json > "$config"
  echo "== $group: ${mutate[$group]}"
  "$tools/dotnet-stryker" -f "$config" -O "$root/artifacts/mutations/$group" || failed=1
done
exit $failed
