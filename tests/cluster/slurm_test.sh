#!/usr/bin/env bash
# usage: slurm_test.sh ROOFTILE SBATCH_SCRIPT
# Starts a single-node Slurm of its own (munge included), runs a sweep as an array of four with one task requeued while
# it runs, merges the stores, and compares them with the sweep run in one go. Exit 77: skipped, with the reason.
set -euo pipefail
rooftile=$1 script=$2
for program in munged slurmctld slurmd sbatch scontrol squeue; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed (Debian: slurm-wlm, munge)"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: slurmd needs root"; exit 77; }

work=$(mktemp -d)
chmod 755 "$work"
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

mkdir -m 700 "$work/munge"
head -c 1024 /dev/urandom > "$work/munge/key"
chmod 600 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" > "$work/munged.out" 2>&1 &
started+=($!)

host=$(hostname -s)
port=$((20000 + RANDOM % 20000))
mkdir "$work/state" "$work/spool"
cat > "$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CryptoType=crypto/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f "$SLURM_CONF" > "$work/slurmctld.log" 2>&1 &
started+=($!)
slurmd -D -f "$SLURM_CONF" > "$work/slurmd.log" 2>&1 &
started+=($!)
for _ in $(seq 60); do
  sinfo -h -o %t 2>/dev/null | grep -q idle && break
  sleep 0.25
done
sinfo -h -o %t 2>/dev/null | grep -q idle || { echo "skipped: no Slurm node comes up here"; tail -3 "$work"/slurm*.log; exit 77; }

cat > "$work/sweep.yaml" <<'SWEEP'
sweep: a job array
scenario:
  scenario: a projection
  hardware: h200
  clock: boost
  ops: [{op: gemm, m: 1024, n: 2048, k: 2048, dtype: bf16}]
vary:
  hardware.hbm.bandwidth: {from: 3 TB/s, to: 6 TB/s, steps: 20}
  hardware.l2.capacity: {from: 20 MB, to: 60 MB, steps: 20}
SWEEP
export ROOFTILE=$rooftile
job=$(sbatch --parsable --array=0-3 --chdir="$work" --output="$work/task-%a.log" --open-mode=append "$script" "$work/sweep.yaml" "$work/out")
# Take one task off the node once it has committed something, and let it start again.
for _ in $(seq 100); do
  [ -s "$work/out/shard-2.sqlite" ] && [ "$(stat -c %s "$work/out/shard-2.sqlite")" -gt 8192 ] && break
  sleep 0.1
done
scontrol requeue "${job}_2"
echo "task 2 was requeued while it ran"
for _ in $(seq 400); do
  [ -z "$(squeue -h -j "$job" 2>/dev/null)" ] && break
  scontrol update JobId="${job}_2" StartTime=now 2>/dev/null || true  # a requeued task would wait two minutes
  sleep 0.5
done
ls "$work/out"
"$rooftile" merge -o "$work/all.sqlite" "$work"/out/shard-*.sqlite | tee "$work/merged.txt"
grep -q "400 points, 0 more than once" "$work/merged.txt"
"$rooftile" sweep "$work/sweep.yaml" --store "$work/whole.sqlite" > /dev/null 2>&1
cmp "$work/all.sqlite" "$work/whole.sqlite"
echo "an array of four with one task requeued gives the store of the whole sweep"
