#!/usr/bin/env bash
# Measures insulation on a small cloud disk: a loop device with direct I/O, capped at 500 requests and 100 MB a second by the control group (blkio, v1).
# Needs root, losetup, mkfs.ext4, 7 GB in the folder, and a build of bench/Stout.Argon.Experiments. Options go to its command `disk`.
#   bash bench/Stout.Argon.Experiments/disk.sh FOLDER [--rounds 7] [--seconds 3]
set -euo pipefail
folder=$1
shift
program=$(dirname "$0")/bin/Release/net10.0/Stout.Argon.Experiments.dll
group=/sys/fs/cgroup/blkio/argon-disk-$$
device=
clean() {
  umount "$folder/disk" 2>/dev/null || true
  [ -z "$device" ] || losetup -d "$device"
  rmdir "$group" 2>/dev/null || true
  rm -f "$folder/image"
}
trap clean EXIT
mkdir -p "$folder/disk" "$group"
truncate -s 7000M "$folder/image"
device=$(losetup --find --show --direct-io=on "$folder/image")
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$device"
mount "$device" "$folder/disk"
number=$(cat "/sys/block/$(basename "$device")/dev")
for way in read write; do
  echo "$number 500" > "$group/blkio.throttle.${way}_iops_device"
  echo "$number 100000000" > "$group/blkio.throttle.${way}_bps_device"
done
dotnet "$program" disk "$folder/disk" --cgroup-procs "$group/cgroup.procs" "$@"
