#!/usr/bin/env bash
# Changes src/Stout/Lanes and src/Stout/Pacing in small ways, one at a time, and looks whether a test fails. Takes hours for all of it;
# with names of files (LaneCore.Sending.cs DepartureGate.cs) only those. Reports are in artifacts/mutations, one for each file.
set -uo pipefail
cd "$(dirname "$0")"
root=../..
export STOUT_SCHEDULES=${STOUT_SCHEDULES:-200}
tools=$PWD/$root/artifacts/tools
[ -x "$tools/dotnet-stryker" ] || dotnet tool install dotnet-stryker --version 5.1.0 --tool-path "$tools" || exit 1

files=("$@")
[ ${#files[@]} -gt 0 ] || for file in $root/src/Stout/{Pacing,Lanes}/*.cs; do files+=("$(basename "$file")"); done
# A planted bug says whether the schedules find it, not whether they find a mutant.
slow='FullyQualifiedName!~ClosedLoop&FullyQualifiedName!~One_million&FullyQualifiedName!~planted'
failed=0
config=stryker-config.$$.json
trap 'rm -f "$config"' EXIT
for file in "${files[@]}"; do
  filter=$slow
  # A mutant of what the core decides would leave a client's test waiting until the time limit; the core has its own, which never wait.
  case $file in
    Lane.cs | LaneCommands.cs | LaneClock.cs | *Message.cs | CallbackLimits.cs | KeyHandle.State.cs | SerializedBytes.cs) ;;
    LaneCore* | DependencyMap.cs | DepartureGate.cs | Door.cs)
      # What drives a whole core; the rest of the tests reach none, and asking each for its coverage takes longest.
      filter="(FullyQualifiedName~Lanes.Core|FullyQualifiedName~ScheduleTests)&$slow" ;;
    *) filter="$slow&FullyQualifiedName!~Client&FullyQualifiedName!~Keys&FullyQualifiedName!~HeldBack" ;;
  esac
  sed -e "s#\"mutate\": .*#\"mutate\": [\"**/$file\"],#" -e "s#\"test-case-filter\": .*#\"test-case-filter\": \"${filter//&/\\&}\",#" stryker-config.json > "$config"
  echo "== $file"
  "$tools/dotnet-stryker" -f "$config" -O "$root/artifacts/mutations/$file" || failed=1
done
exit $failed
