/**
 * Who may answer reads, and hence up to where writes may be acknowledged: a state machine that is told what happens, and the time. Used
 * by cluster-member.ts. The promise: a read that begins after a write was acknowledged, on any node, sees it. Why that holds:
 *
 * 1. A node answers reads only while it holds a lease, and from when it has applied its own join, a message of the log. Its lease, asked
 *    for at the moment a, ends at a + leaseMs by any clock, so by its own a little earlier: validMs().
 * 2. Write S is acknowledged by the node P that proposed it, once every member has applied S. A node that joined behind S has S. One that
 *    joined before S is known to P: from the log, as P has read all before S; or, where P began to read behind that join, from the
 *    bucket, as P reads the bucket up to its own key, which it wrote later than that.
 * 3. P leaves a member out only once its lease has ended for sure: the member wrote `left` having stopped; or its key has got another
 *    value than its lease, so nothing it has asked for later was granted, and `leaseMs` have passed since P has received the last
 *    renewal, or a revision behind it. P received that later than it was asked for, so it ends later here than there, however slow the
 *    watch, and a P that was stopped only waits longer.
 * 4. A revision older than the lease says nothing about it: a join names the revision with which its lease began.
 * 5. Whoever takes a node's name over waits in the same way for the end of the lease before; so one held lease per key is all.
 *
 * What it needs: clocks that run equally fast but for DRIFT, and go on while a process is stopped.
 */
import type { JoinPayload } from './envelope.js';
import type { LeaseEntry, LeaseValue } from './lease-port.js';

/** By how much clocks may differ in speed. */
export const DRIFT = 1 / 64;

/** How long a lease of `leaseMs` is valid by the clock of the node that holds it. */
export const validMs = (leaseMs: number): number => leaseMs * (1 - DRIFT);

/**
 * A member that is waited for is evicted when it has not renewed its lease for that part of it: its lease ends when it would have ended, but
 * can be renewed no more. It should have been renewed three times.
 */
const SILENT_LEASES = 7 / 8;
/** A member that renews its lease and has not applied what this node has proposed, for that many leases, is evicted. */
const BLOCKED_LEASES = 3;
/** A member that blocks nothing keeps an ended lease for that many. */
const IDLE_LEASES = 3;

interface Member {
  readonly node: string;
  readonly life: string;
  readonly leaseMs: number;
  /** Sequence of its join; 0: not seen. */
  joined: number;
  /** The last revision of its key that still is its lease, and when it was received; null: none yet. */
  renewed: { readonly revision: number; readonly at: number } | null;
  /** Revision with which its lease began, at most. */
  readonly began: number;
  readonly bucket: string;
  applied: number;
  /** When its lease has ended for sure; null: it may be renewed. */
  endsAt: number | null;
  /** Since when it has not applied what this node has proposed and applied, and up to where that was then. */
  blocked: { readonly sequence: number; readonly since: number } | null;
}

/** A key to be written over, so that a lease ends. */
export interface Eviction {
  readonly node: string;
  readonly life: string;
  readonly revision: number;
}

/** The last revision of a node's key that has come. */
export interface Key {
  readonly revision: number;
  readonly value: LeaseValue | null;
  /** When this revision was received. */
  readonly at: number;
  /** When the first revision of the same life was received: no other life was granted anything since. */
  readonly lifeAt: number;
}

export class Membership {
  readonly #bucket: string;
  readonly #self: string;
  readonly #members = new Map<string, Member>();
  readonly #keys = new Map<string, Key>();
  readonly #openedAt: number;
  #listed: { readonly revision: number; readonly at: number } | null = null;
  #applied = 0;
  /** Sequence of the last message that this node has proposed. */
  #proposed = 0;
  #released = 0;

  /** `node`: the one that asks; `bucket`: id of the bucket of leases, opened at the moment `now`. */
  constructor(node: string, bucket: string, now: number) {
    this.#self = node;
    this.#bucket = bucket;
    this.#openedAt = now;
  }

  /** A node has joined, by the log. */
  join(now: number, sequence: number, node: string, { life, bucket, revision, leaseMs }: JoinPayload): void {
    const known = this.#members.get(life);
    if (known !== undefined) {
      known.joined = sequence;
      return;
    }
    const member = this.#add(node, life, leaseMs, revision, bucket);
    member.joined = sequence;
    // A bucket that is no more renews no lease.
    if (bucket !== this.#bucket) this.#end(member, this.#openedAt);
    const key = this.#keys.get(node);
    if (key !== undefined && key.revision >= revision) this.#compare(member, key, now);
    else this.#compareListed(member);
  }

  /** The bucket has told of a key. */
  see(now: number, { node, revision, value }: LeaseEntry): void {
    const before = this.#keys.get(node);
    if (before !== undefined && before.revision >= revision) return;
    const isSameLife = before !== undefined && before.value?.life === value?.life;
    const key = { revision, value, at: now, lifeAt: isSameLife ? before.lifeAt : now };
    this.#keys.set(node, key);
    // Of an evicted one that is not known either the lease may go on for a while.
    if (value !== null && value.state !== 'left' && !this.#members.has(value.life))
      this.#add(node, value.life, value.leaseMs, revision, this.#bucket);
    for (const member of this.#members.values())
      if (member.node === node && member.bucket === this.#bucket && revision >= member.began)
        this.#compare(member, key, now);
  }

  /**
   * The bucket has told of all that was in it when this node wrote its own key with `revision`: before that nothing is released.
   */
  list(now: number, revision: number): void {
    if (this.#listed !== null) return;
    this.#listed = { revision, at: now };
    for (const member of this.#members.values()) this.#compareListed(member);
  }

  /** A node in its period `life` sees all up to `sequence`. */
  progress(life: string, sequence: number): void {
    const member = this.#members.get(life);
    if (member !== undefined && sequence > member.applied) member.applied = sequence;
  }

  /** A message of this node has the place `sequence`: it waits for all who may answer reads. */
  propose(sequence: number): void {
    this.#proposed = sequence;
  }

  /** This node sees all up to `sequence`. */
  apply(sequence: number): void {
    this.#applied = sequence;
  }

  /** Up to where writes may be acknowledged, at most `limit`: every member sees them. Never less than before. */
  released(now: number, limit: number): number {
    this.#forget(now);
    let sequence = Math.min(this.#applied, limit);
    if (this.#listed === null) return this.#released;
    for (const member of this.#members.values())
      if (member.node !== this.#self) sequence = Math.min(sequence, seenBy(member));
    if (sequence > this.#released) this.#released = sequence;
    return this.#released;
  }

  /**
   * Members to be evicted: such as this node waits for longer than it should. `contactSince`: since when this node has had every answer of
   * the bucket in time; before that it cannot know who has renewed.
   */
  evictions(now: number, contactSince: number): Eviction[] {
    const found: Eviction[] = [];
    for (const member of this.#members.values()) {
      this.#noteBlocked(member, now);
      const { renewed, blocked, leaseMs, node, life } = member;
      if (node === this.#self || member.endsAt !== null || renewed === null) continue;
      const silentMs = now - Math.max(renewed.at, contactSince);
      const isOver = silentMs > leaseMs * (blocked === null ? IDLE_LEASES : SILENT_LEASES);
      const isSlow = blocked !== null && now - Math.max(blocked.since, contactSince) > BLOCKED_LEASES * leaseMs;
      if (isOver || isSlow) found.push({ node, life, revision: renewed.revision });
    }
    return found;
  }

  /** When the next lease that others wait for ends for sure; null: none is about to. */
  nextEnd(now: number): number | null {
    this.#forget(now);
    let next: number | null = null;
    for (const { endsAt } of this.#members.values()) if (endsAt !== null && (next ?? endsAt) >= endsAt) next = endsAt;
    return next;
  }

  /** The furthest that any other member sees. */
  get furthest(): number {
    let furthest = 0;
    for (const { node, applied } of this.#members.values())
      if (node !== this.#self && applied > furthest) furthest = applied;
    return furthest;
  }

  /** The keys of all nodes. */
  get keys(): ReadonlyMap<string, Key> {
    return this.#keys;
  }

  /** How far the member with `life` has got; 0: not known. */
  appliedBy(life: string): number {
    const member = this.#members.get(life);
    return member === undefined ? 0 : seenBy(member);
  }

  #add(node: string, life: string, leaseMs: number, began: number, bucket: string): Member {
    const member: Member = {
      ...{ node, life, leaseMs, began, bucket, joined: 0, applied: 0 },
      ...{ renewed: null, endsAt: null, blocked: null },
    };
    this.#members.set(life, member);
    return member;
  }

  /** Takes in what `key`, not older than the member's lease, says of it. */
  #compare(member: Member, { revision, value, at, lifeAt }: Key, now: number): void {
    if (value?.life !== member.life) {
      this.#end(member, lifeAt);
    } else if (value.state === 'held') {
      member.renewed = { revision, at };
      this.progress(member.life, value.applied);
    } else if (value.state === 'left') {
      member.endsAt = now;
    } else {
      // Nothing was granted between the revision that was written over and this one.
      const isNext = value.over !== null && value.over === member.renewed?.revision;
      this.#end(member, isNext ? (member.renewed?.at ?? at) : at);
    }
  }

  /** A member whose key should have been among those listed, and was not: it is gone, so the lease cannot be renewed. */
  #compareListed(member: Member): void {
    if (this.#listed === null || member.bucket !== this.#bucket || member.began > this.#listed.revision) return;
    const key = this.#keys.get(member.node);
    if (key === undefined || key.revision < member.began) this.#end(member, this.#listed.at);
  }

  /** The last renewal that was granted was asked for before `at`. */
  #end(member: Member, at: number): void {
    const endsAt = at + member.leaseMs;
    if (member.endsAt === null || endsAt < member.endsAt) member.endsAt = endsAt;
  }

  #forget(now: number): void {
    for (const [life, { endsAt }] of this.#members) if (endsAt !== null && endsAt <= now) this.#members.delete(life);
  }

  #noteBlocked(member: Member, now: number): void {
    const seen = seenBy(member);
    const sequence = Math.min(this.#proposed, this.#applied);
    if (member.blocked !== null && seen >= member.blocked.sequence) member.blocked = null;
    if (member.blocked === null && seen < sequence) member.blocked = { sequence, since: now };
  }
}

/** A member that has joined answers reads only once it has applied its join. */
const seenBy = ({ joined, applied }: Member): number => Math.max(joined, applied);
