/**
 * One node's part in a cluster, wired together: follows the log, proposes writes, joins when it has caught up, says which writes
 * may be acknowledged, evicts who keeps others waiting. Run by cluster-thread.ts; knows neither NATS nor threads.
 *
 * Reads are allowed in the phase `ready` alone, and only while the deadline is not over.
 */
import type { AppliedNote } from '../../engine/index.js';
import type { ClusterPhase } from './cluster-state.js';
import type { JoinPayload, Sender } from './envelope.js';
import { Follower } from './follower.js';
import { ForgottenNodes } from './forgotten-nodes.js';
import { LeaseHolder } from './lease-holder.js';
import type { LeaseEntry } from './lease-port.js';
import { LogWatch } from './log-watch.js';
import type { MemberHost, MemberOptions, MemberPorts } from './member-ports.js';
import { type Eviction, Membership, validMs } from './membership.js';
import { ProgressTeller } from './progress-teller.js';
import { type Proposal, Publisher } from './publisher.js';
import { Releases } from './releases.js';
import type { LogInfo } from './stream-port.js';

/** A node that has applied less than another for that many leases gives its own back. */
const BEHIND_LEASES = 2;
/** Leases within which the own key must come by the watch: the bucket keeps the changes of twice as many. */
const LISTED_LEASES = 8;

export class ClusterMember {
  readonly membership: Membership;
  readonly #ports: MemberPorts;
  readonly #options: MemberOptions;
  readonly #host: MemberHost;
  readonly #publisher: Publisher;
  readonly #holder: LeaseHolder;
  readonly #watch: { stop(): void };
  readonly #log: LogWatch;
  readonly #evicting = new Set<string>();
  readonly #teller: ProgressTeller;
  readonly #releases: Releases;
  readonly #forgotten: ForgottenNodes;
  #follower: Follower | null = null;
  #phase: ClusterPhase = 'opening';
  #reason: string | null = null;
  #isShort = false;
  #fault: string | null = null;
  #applied = 0;
  #claimedAt = Number.NEGATIVE_INFINITY;
  #isListed = false;
  /** Of the join under way; `sequence`: its place, once it has come. */
  #joining: { readonly life: string; sequence: number | null } | null = null;
  #grantedMoment = 0;
  #behind: { readonly sequence: number; readonly since: number } | null = null;
  #evictions = 0;
  #losses = 0;
  /** When a lease ends for which a timer was set. */
  #endsAt: number | null = null;

  constructor(ports: MemberPorts, options: MemberOptions, host: MemberHost) {
    this.#ports = ports;
    this.#options = options;
    this.#host = host;
    const { node, origin, writeTimeoutMs, leaseMs, url, version, forgetAfterMs } = options;
    const { stream, bucket, clock } = ports;
    this.#forgotten = new ForgottenNodes(bucket, { node, forgetAfterMs, timeoutMs: leaseMs });
    this.membership = new Membership(node, bucket.id, clock.now());
    this.#teller = new ProgressTeller(node);
    this.#releases = new Releases((sequence) => host.release(sequence));
    this.#log = new LogWatch(stream, clock, leaseMs, host, () => this.#claimIfCaughtUp());
    this.#publisher = new Publisher(stream, {
      ...{ node, origin, writeTimeoutMs, clock },
      onSettled: (counter) => this.#settle(counter),
      onDone: (bytes) => host.done(bytes),
      onRefused: (number, error) => host.refuse(number, error),
    });
    this.#holder = new LeaseHolder(bucket, {
      ...{ node, origin, leaseMs, url, version, clock },
      deadline: ports.lease,
      describe: () => ({ applied: this.#applied, isShort: this.#isShort }),
      onGranted: (moment) => this.#granted(moment),
      onLost: (reason) => this.#lost(reason),
      fail: (error) => host.fail(error),
    });
    ports.progress.listen((life, sequence) => {
      this.membership.progress(life, sequence);
      this.#release();
    });
    this.#watch = bucket.watch((entry) => this.#see(entry));
  }

  get phase(): ClusterPhase {
    return this.#phase;
  }

  get reason(): string | null {
    return this.#reason;
  }

  get stream(): LogInfo | null {
    return this.#log.info;
  }

  get figures(): { applied: number; lag: number; released: number; evictions: number; losses: number } {
    const [applied, released] = [this.#applied, this.#releases.sequence];
    const lag = Math.max(0, this.#known - applied);
    return { applied, released, lag, evictions: this.#evictions, losses: this.#losses };
  }

  /** Follows the log, whose messages up to `applied` the engine has; it is read from `replayFrom` on. */
  attach(applied: number, replayFrom: number): void {
    const { origin } = this.#options;
    this.#applied = applied;
    this.membership.apply(applied);
    this.#follower = new Follower(this.#ports.stream, applied, replayFrom, {
      origin,
      deliver: (deliveries) => this.#host.deliver(deliveries),
      onJoin: (sequence, sender, join) => this.#joined(sequence, sender, join),
      onMessage: (sequence, sender) => this.#noteMessage(sequence, sender),
      fail: (error) => this.#host.fail(error),
    });
    this.#follower.start();
    this.#turn('behind', 'it takes in what it lacks of the log');
    this.tick();
  }

  propose(proposals: readonly Proposal[]): void {
    this.#publisher.propose(proposals);
  }

  /** Every read that begins now on this node sees all up to `sequence`. */
  apply(sequence: number): void {
    if (sequence <= this.#applied) return;
    this.#applied = sequence;
    this.membership.apply(sequence);
    const { life } = this.#holder;
    this.#teller.apply(sequence, (node) => life !== null && this.#ports.progress.send(node, life, sequence));
    this.#release();
    if (this.#phase === 'joining') this.#serveIfJoined();
  }

  /** How far the engine's writer has got. */
  note(note: AppliedNote): void {
    this.#follower?.note(note);
  }

  /** Whether this node has too little memory for writes: no node takes any then. */
  setShort(isShort: boolean): void {
    if (this.#isShort === isShort) return;
    this.#isShort = isShort;
    this.#holder.hurry();
  }

  /** Why this node should not answer, by what its own process has found; null: it may. It follows the log all the same. */
  setFault(reason: string | null): void {
    if (this.#fault === reason) return;
    this.#fault = reason;
    if (reason !== null && (this.#phase === 'joining' || this.#phase === 'ready')) this.#startAgain(reason);
  }

  /** To be called often, some times per lease at least. */
  tick(): void {
    const now = this.#ports.clock.now();
    if (this.#follower !== null) {
      this.#log.tick(this.#phase === 'behind' && this.#applied >= this.#log.last);
      this.#log.check(this.#follower, this.#known);
    }
    this.#holder.tick();
    if (this.#phase === 'behind') this.#claimIfCaughtUp();
    else if (this.#phase === 'joining') this.#joinIfListed(now);
    else if (this.#phase === 'ready') this.#stayReady(now);
    this.#evict(now);
    this.#forgotten.tick(now, this.membership.keys);
    this.#release();
    this.#releases.tell();
  }

  /** Stops reads, then gives the lease back: the others wait for this node no longer. */
  async leave(): Promise<void> {
    if (this.#phase === 'left') return;
    this.#stopReads('left', 'it has left');
    await this.#holder.giveBack();
  }

  close(): void {
    this.#endReads();
    this.#phase = 'left';
    this.#publisher.close();
    this.#follower?.stop();
    this.#watch.stop();
  }

  get #known(): number {
    return Math.max(this.#log.last, this.#follower?.delivered ?? 0, this.membership.furthest);
  }

  #turn(phase: ClusterPhase, reason: string | null): void {
    this.#phase = phase;
    this.#reason = reason;
    this.#host.changed();
  }

  #endReads(): void {
    this.#ports.reads.end();
    this.#ports.lease.end();
  }

  #stopReads(phase: ClusterPhase, reason: string): void {
    this.#endReads();
    this.#joining = null;
    this.#isListed = false;
    this.#behind = null;
    this.#turn(phase, reason);
  }

  #see(entry: LeaseEntry): void {
    const now = this.#ports.clock.now();
    this.membership.see(now, entry);
    if (entry.node === this.#options.node) {
      this.#holder.see(entry);
      const isClaimed = this.#holder.life !== null && entry.revision >= this.#holder.beganWith;
      if (isClaimed && !this.#isListed && now - this.#claimedAt < LISTED_LEASES * this.#options.leaseMs) {
        this.#isListed = true;
        this.membership.list(now, this.#holder.beganWith);
        if (this.#phase === 'joining') this.#joinIfListed(now);
      }
    }
    this.#releaseAtNextEnd();
  }

  #noteMessage(sequence: number, { node, origin, counter }: Sender): void {
    this.#teller.note(sequence, node);
    if (origin !== this.#options.origin) return;
    this.membership.propose(sequence);
    this.#releases.noteOwn(sequence, counter);
  }

  #settle(counter: number): void {
    this.#releases.settle(counter);
    this.#release();
  }

  #release(): void {
    const { limit } = this.#releases;
    const isLocal = this.#options.acknowledge === 'local';
    const now = this.#ports.clock.now();
    this.#releases.advance(isLocal ? Math.min(this.#applied, limit) : this.membership.released(now, limit));
  }

  /** Releases what it can, and the rest as soon as the next lease that is waited for has ended. */
  #releaseAtNextEnd(): void {
    this.#release();
    const { clock } = this.#ports;
    const endsAt = this.membership.nextEnd(clock.now());
    if (endsAt === null || endsAt === this.#endsAt) return;
    this.#endsAt = endsAt;
    // Timers may be a little early.
    void clock.sleep(endsAt - clock.now() + 1).then(() => this.#release());
  }

  #claimIfCaughtUp(): void {
    if (this.#phase !== 'behind' || !this.#log.isAll(this.#applied)) return;
    this.#reason = this.#fault ?? 'it waits for its lease';
    if (this.#fault === null && this.#holder.claim()) this.#claimedAt = this.#ports.clock.now();
  }

  #granted(moment: number): void {
    this.#grantedMoment = moment;
    if (this.#phase === 'behind') {
      this.#turn('joining', 'it tells the others that it joins');
      if (this.#holder.life !== null) this.#ports.progress.send(null, this.#holder.life, this.#applied);
    } else if (this.#phase === 'ready') this.#extend();
  }

  #joinIfListed(now: number): void {
    const life = this.#holder.life;
    if (life === null) return;
    if (!this.#isListed) {
      // What it was told of the bucket may have gaps by now.
      if (now - this.#claimedAt > LISTED_LEASES * this.#options.leaseMs)
        this.#startAgain('the bucket of leases is slow');
      return;
    }
    if (this.#joining !== null) return;
    this.#joining = { life, sequence: null };
    const revision = this.#holder.beganWith;
    const payload = { life, bucket: this.#ports.bucket.id, revision, leaseMs: this.#options.leaseMs };
    void this.#publisher.join(payload).then((isStored) => {
      if (!isStored && this.#joining?.life === life) this.#startAgain('the log has not taken that this node joins');
    });
  }

  #joined(sequence: number, { node }: Sender, join: JoinPayload): void {
    this.membership.join(this.#ports.clock.now(), sequence, node, join);
    if (this.#joining?.life === join.life) this.#joining.sequence = sequence;
  }

  #serveIfJoined(): void {
    const joined = this.#joining?.sequence ?? null;
    if (joined === null || this.#applied < joined || this.#holder.life !== this.#joining?.life) return;
    this.#joining = null;
    this.#extend();
    this.#turn('ready', null);
  }

  #extend(): void {
    const ms = validMs(this.#options.leaseMs);
    this.#ports.lease.extend(this.#grantedMoment, ms);
    this.#ports.reads.extend(this.#grantedMoment, ms);
  }

  #startAgain(reason: string): void {
    this.#stopReads('behind', reason);
    void this.#holder.giveBack();
  }

  #lost(reason: string): void {
    this.#losses += 1;
    if (this.#phase === 'joining' || this.#phase === 'ready') this.#stopReads('behind', reason);
  }

  #stayReady(now: number): void {
    const { readsWithoutQuorum, leaseMs } = this.#options;
    const { reads } = this.#ports;
    if (readsWithoutQuorum) reads.extend(reads.now(), leaseMs);
    const furthest = this.membership.furthest;
    if (this.#behind !== null && this.#applied >= this.#behind.sequence) this.#behind = null;
    if (this.#behind === null && this.#applied < furthest) this.#behind = { sequence: furthest, since: now };
    if (this.#behind === null || now - this.#behind.since <= BEHIND_LEASES * leaseMs) return;
    this.#losses += 1;
    this.#startAgain('it was slower than the others');
  }

  #evict(now: number): void {
    const since = this.#holder.contactSince;
    if (since === null || this.#holder.life === null) return;
    for (const eviction of this.membership.evictions(now, since)) void this.#evictOne(eviction);
  }

  async #evictOne({ node, life, revision }: Eviction): Promise<void> {
    const value = this.membership.keys.get(node)?.value ?? null;
    if (value === null || value.life !== life || this.#evicting.has(node)) return;
    this.#evicting.add(node);
    const { bucket, clock } = this.#ports;
    const evicted = { ...value, state: 'evicted' as const, over: revision };
    const outcome = await bucket.put(node, evicted, revision, this.#options.leaseMs / 2);
    this.#evicting.delete(node);
    if (outcome.kind !== 'stored') return;
    this.#evictions += 1;
    this.membership.see(clock.now(), { node, revision: outcome.revision, value: evicted });
    this.#releaseAtNextEnd();
  }
}
