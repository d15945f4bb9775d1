/**
 * Changes of schemas: begun when they are asked for, carried out one after the other beside commits, and put in force between two.
 *
 * Lives on the writer thread; segments are rebuilt elsewhere (rebuild-order.ts). What begins is in the log, and so goes on after a crash; what
 * is put in force is in the log before anybody sees it. A change that cannot be done leaves everything as it was.
 */
import { EngineError } from '../../core/errors.js';
import type { EngineLogger } from '../../engine.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { needsRebuild, patchSchema } from '../../schema/patch-schema.js';
import { RECORD_CHANGE, RECORD_CHANGED } from '../../storage/log/wal-records.js';
import { refusal } from '../commit/commit-group.js';
import type { Publisher, WritePath } from '../commit/write-path.js';
import type { CollectionState } from '../state/collection-state.js';
import { viewCollection } from '../state/collection-views.js';
import { cannotFollow } from '../state/replicated-outcome.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import {
  type ChangeEndRequest,
  type CommitResult,
  NO_CHANGES,
  type SchemaChangeRequest,
  type WriteAnswer,
} from '../state/write-requests.js';
import { gone, isMisfit, misfitError, underWay, unknownOutcome } from './change-errors.js';
import { bytesOf, type Change, done, nextStep, noop, sleep } from './change-steps.js';
import { RETRY_FACTOR, RebuildJob, type RebuildSizes, type RebuildStep } from './rebuild-job.js';
import { type RebuildOutcome, type RebuildRunner, runRebuildOrder } from './rebuild-order.js';

/** Segments of so many bytes are rebuilt between two commits: it takes some tens of milliseconds. */
const INLINE_BYTES_MAX = 1 << 20;
/** Times that what commits have added is rebuilt beside them, before they wait for it. */
const ROUNDS_BESIDE_MAX = 3;
/** How soon is looked again whether a merge that is in the way has ended. */
const MERGE_WAIT_MS = 50;

/** What the changes work on. */
export interface SchemaChangeParts {
  readonly path: WritePath;
  readonly memory: SegmentMemory;
  readonly publisher: Publisher;
  readonly runner: RebuildRunner;
  readonly logger: EngineLogger;
  /** Segments of so many bytes are rebuilt between two commits. Default: INLINE_BYTES_MAX. */
  readonly inlineBytesMax?: number;
  /** Default: REBUILD_SIZES. */
  readonly sizes?: RebuildSizes;
  /** Hears what became of changes beside commits. */
  readonly onResult: (result: CommitResult) => void;
  /** finish() is to be called, between two commits. */
  readonly onDue: () => void;
  /** Given where writes are those of a replicated log: asks for decide() at one place of it. Until then a change stays under way. */
  readonly onReadyToDecide?: (collectionId: number, schema: CollectionSchema) => void;
  /** A collection has new segments throughout: a snapshot of them spares the next start making them again. */
  readonly onChanged: () => void;
}

export class SchemaChanges {
  readonly #parts: SchemaChangeParts;
  readonly #inlineBytesMax: number;
  /** In the order in which they began; the first is under way. */
  readonly #changes: Change[] = [];
  /** A step of it is under way. */
  #steppedOn: Change | null = null;
  #isDue = false;
  /** Commits wait until the step under way has ended. */
  #held: Promise<void> | null = null;
  #isStopped = false;

  constructor(parts: SchemaChangeParts) {
    this.#parts = parts;
    this.#inlineBytesMax = parts.inlineBytesMax ?? INLINE_BYTES_MAX;
  }

  /** Goes on with what was under way before the start. */
  resume(): void {
    const { path, memory, sizes } = this.#parts;
    for (const collection of path.collections.all()) {
      if (collection.change === null) continue;
      const job = new RebuildJob(collection, collection.change, memory, sizes);
      this.#enqueue({ job, ticket: null, isDryRun: false, failure: null, isReady: false });
    }
  }

  /** Begins what `request` asks for. No commit is under way until the promise resolves, with what is to be told now. */
  async begin(request: SchemaChangeRequest): Promise<CommitResult> {
    const { path } = this.#parts;
    try {
      const damage = path.collections.damageOf(request.collectionId);
      if (damage !== null) throw damage;
      const collection = path.collections.find(request.collectionId);
      if (collection === null) throw gone();
      const schema = path.collections.share(patchSchema(collection.schema, request.change));
      return await this.#begin(request, collection, schema);
    } catch (error) {
      return this.#told([], [refusal(request.ticket, error)]);
    }
  }

  /** Whether finish() is to be called. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Resolves when commits may go on: at once, unless a change cannot keep up with them. */
  async throttle(): Promise<void> {
    while (this.#held !== null) await this.#held;
  }

  /** Puts the change that is due in force, or gives it up. No commit is under way until the promise resolves, with what is to be told. */
  async finish(): Promise<CommitResult> {
    const [change] = this.#changes;
    // A merge that has begun since it was due.
    while (change.job.isInTheWay && !this.#isGone(change.job)) await sleep(MERGE_WAIT_MS);
    this.#isDue = false;
    const result = await this.#end(change);
    this.#changes.shift();
    this.#run();
    return result;
  }

  /**
   * Decides the change that `request` names, as its place in the log has it: by the documents that are there now, whatever was found
   * before. Moot when there is none. No commit is under way until the promise resolves.
   */
  async decide({ ticket, collectionId, schema }: ChangeEndRequest): Promise<CommitResult> {
    const text = JSON.stringify(schema);
    const isMeant = ({ job, isDryRun }: Change): boolean =>
      !isDryRun && job.collection.id === collectionId && JSON.stringify(job.schema) === text;
    const change = this.#changes.find(isMeant);
    if (change === undefined) return this.#told([], [done(ticket)]);
    change.isReady = true;
    while (this.#steppedOn === change || (change.job.isInTheWay && !this.#isGone(change.job)))
      await sleep(MERGE_WAIT_MS);
    change.failure = null;
    const result = await this.#end(change);
    this.#changes.splice(this.#changes.indexOf(change), 1);
    this.#run();
    return { ...result, answers: [...result.answers, done(ticket)] };
  }

  async #end(change: Change): Promise<CommitResult> {
    const { path, publisher } = this.#parts;
    const { job, ticket } = change;
    const { collection, schema } = job;
    const answer = (error: EngineError | null): WriteAnswer[] => {
      if (ticket === null) return [];
      return [error === null ? done(ticket) : refusal(ticket, error)];
    };
    if (this.#isGone(job)) {
      job.abandon(false, publisher.generation - 1);
      path.reclaim();
      return this.#told([], answer(gone()));
    }
    path.discardPrepared();
    change.failure ??= this.#rebuildRest(job);
    if (change.failure === null) {
      change.failure = await path.log({ type: RECORD_CHANGED, id: collection.id, schema });
      if (change.failure === null) {
        this.#parts.onChanged();
        return { ...this.#putInForce(job), answers: answer(null) };
      }
    }
    if (this.#isReplicated && !isMisfit(change.failure)) throw cannotFollow(change.failure);
    job.abandon(true, publisher.generation);
    collection.noteRefusal(change.failure.message);
    // Where the log says nothing of it, the next start tries again.
    const failed = await path.log({ type: RECORD_CHANGE, id: collection.id, schema: null });
    const error = failed === null ? change.failure : unknownOutcome(change.failure);
    this.#parts.logger.warn(
      { code: error.code, collection: schema.name },
      `a change of a schema is given up: ${error.message}`,
    );
    return this.#told([collection], answer(error));
  }

  /** Lets everything be as it is: the next start goes on with it. Returns what those who wait are told. */
  stop(): CommitResult | null {
    this.#isStopped = true;
    const tickets = this.#changes.flatMap(({ ticket }) => (ticket === null ? [] : [ticket]));
    const message = 'the server is stopping; the change goes on at the next start';
    const answers = tickets.map((ticket) => refusal(ticket, new EngineError('overloaded', message)));
    return answers.length === 0 ? null : this.#told([], answers);
  }

  async #begin(
    request: SchemaChangeRequest,
    collection: CollectionState,
    schema: CollectionSchema,
  ): Promise<CommitResult> {
    const { path, memory, sizes } = this.#parts;
    const { ticket, isDryRun } = request;
    const isLookedAt = this.#changes.some(({ job }) => job.collection === collection);
    // What only this engine does must not decide what becomes of a write that others apply, too.
    if (collection.change !== null || (isLookedAt && (isDryRun || !this.#isReplicated))) throw underWay(schema.name);
    const job = new RebuildJob(collection, schema, memory, sizes);
    if (isDryRun) {
      this.#enqueue({ job, ticket, isDryRun, failure: null, isReady: false });
      return this.#told([], []);
    }
    path.discardPrepared();
    const isSmall = !this.#isReplicated && collection.segmentBytes <= this.#inlineBytesMax;
    if (isSmall || !needsRebuild(collection.schema, schema)) return this.#changeAtOnce(job, ticket);
    const failed = await path.log({ type: RECORD_CHANGE, id: collection.id, schema });
    if (failed !== null) throw failed;
    collection.noteChange(schema);
    this.#enqueue({ job, ticket, isDryRun, failure: null, isReady: false });
    return this.#told([collection], []);
  }

  async #changeAtOnce(job: RebuildJob, ticket: number): Promise<CommitResult> {
    const { collection, schema } = job;
    const rebuilds = needsRebuild(collection.schema, schema);
    try {
      const failure = rebuilds ? this.#rebuildRest(job) : null;
      if (failure !== null) throw failure;
      const failed = await this.#parts.path.log({ type: RECORD_CHANGED, id: collection.id, schema });
      if (failed !== null) throw failed;
    } catch (error) {
      job.abandon(true, this.#parts.publisher.generation);
      if (!(error instanceof EngineError)) throw error;
      collection.noteRefusal(error.message);
      return this.#told([collection], [refusal(ticket, error)]);
    }
    if (rebuilds) return { ...this.#putInForce(job), answers: [done(ticket)] };
    collection.changeSchema(schema, null, this.#parts.publisher.generation);
    return { ...this.#parts.path.publishOne(collection), answers: [done(ticket)] };
  }

  #putInForce(job: RebuildJob): CommitResult {
    const { publisher, path } = this.#parts;
    job.finish(publisher.generation);
    return path.publishOne(job.collection);
  }

  /** Rebuilds here what is left; returns what is in the way, or null. */
  #rebuildRest(job: RebuildJob): EngineError | null {
    const { memory } = this.#parts;
    for (let factor = 1; ; ) {
      const step = nextStep(job, factor);
      if (step instanceof EngineError || step === null) return step;
      const outcome = runRebuildOrder(step.order, (region) => memory.view(region));
      const failure = this.#takeIn(job, step, outcome);
      if (failure !== null) return failure;
      factor = outcome.bytes === null ? factor * RETRY_FACTOR : 1;
    }
  }

  /** Takes the outcome of a step in; returns what is wrong with it, or null. */
  #takeIn(job: RebuildJob, step: RebuildStep, outcome: RebuildOutcome): EngineError | null {
    const { publisher, path } = this.#parts;
    if (this.#isGone(job) || outcome.damage !== null || outcome.misfits.count > 0) {
      job.leave(step, !this.#isGone(job), publisher.generation - 1);
      if (this.#isGone(job)) return null;
      if (outcome.damage === null) return misfitError(job.schema, outcome.misfits);
      const error = new EngineError('corrupt_data', outcome.damage);
      path.collections.suspect(job.collection, error);
      return error;
    }
    job.take(step, outcome);
    return null;
  }

  /** Whether writes are those of a replicated log, and every outcome has to be that of all who follow it. */
  get #isReplicated(): boolean {
    return this.#parts.onReadyToDecide !== undefined;
  }

  #isGone({ collection }: RebuildJob): boolean {
    return !this.#parts.path.collections.isPublished(collection);
  }

  #enqueue(change: Change): void {
    this.#changes.push(change);
    this.#run();
  }

  /** Works on the first change, if nobody does. */
  #run(): void {
    const change = this.#changes.find(({ isReady }) => !isReady);
    if (this.#steppedOn !== null || this.#isDue || this.#isStopped || change === undefined) return;
    this.#steppedOn = change;
    void (change.isDryRun ? this.#look(change) : this.#rebuild(change)).then(() => {
      this.#steppedOn = null;
      this.#run();
    });
  }

  async #look(change: Change): Promise<void> {
    const { job, ticket } = change;
    const outcome = await this.#parts.runner.rebuild(job.look());
    this.#changes.splice(this.#changes.indexOf(change), 1);
    if (ticket === null || this.#isStopped) return;
    const { misfits, damage } = outcome;
    let answer: WriteAnswer = { ...done(ticket), misfits };
    if (this.#isGone(job)) answer = refusal(ticket, gone());
    else if (damage !== null) answer = refusal(ticket, new EngineError('corrupt_data', damage));
    this.#parts.onResult(this.#told([], [answer]));
  }

  /** Rebuilds what can be rebuilt beside commits; then the change is due. */
  async #rebuild(change: Change): Promise<void> {
    const { job } = change;
    let factor = 1;
    let rounds = 0;
    let roundBytes = job.leftBytes;
    while (!change.isReady && !this.#isGone(job) && change.failure === null && !this.#isNearlyDone(job)) {
      const step = nextStep(job, factor);
      if (step instanceof EngineError) change.failure = step;
      else if (step === null) await sleep(MERGE_WAIT_MS);
      else {
        const running = this.#parts.runner.rebuild(step.order);
        if (rounds >= ROUNDS_BESIDE_MAX) this.#held = running.then(noop);
        const outcome = await running;
        this.#held = null;
        if (this.#isStopped) return;
        change.failure = this.#takeIn(job, step, outcome);
        factor = outcome.bytes === null ? factor * RETRY_FACTOR : 1;
        roundBytes -= bytesOf(step);
        this.#tellProgress(job);
      }
      if (roundBytes > 0) continue;
      rounds++;
      roundBytes = job.leftBytes;
    }
    if (this.#isStopped) return;
    if (this.#parts.onReadyToDecide === undefined) {
      this.#isDue = true;
      this.#parts.onDue();
    } else if (!change.isReady) {
      change.isReady = true;
      this.#parts.onReadyToDecide(job.collection.id, job.schema);
    }
  }

  /** Whether what is left can be rebuilt between two commits. */
  #isNearlyDone(job: RebuildJob): boolean {
    return job.leftBytes <= this.#inlineBytesMax && !job.isInTheWay;
  }

  #tellProgress({ collection, documents }: RebuildJob): void {
    collection.noteProgress(documents);
    this.#parts.onResult(this.#told([collection], []));
  }

  #told(changed: readonly CollectionState[], answers: readonly WriteAnswer[]): CommitResult {
    const views = changed.filter((one) => this.#parts.path.collections.isPublished(one)).map(viewCollection);
    return { ...NO_CHANGES, changed: views, answers, stats: this.#parts.path.stats() };
  }
}
