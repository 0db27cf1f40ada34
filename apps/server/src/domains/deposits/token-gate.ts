import { run, toJson } from '../../kit/db.ts'
import type { UnitOfWork, UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { type ChainAssets, isSibling } from '../chains/assets.ts'
import type { StoredDeposit } from './store.ts'

/** One of so many deposits of a token is compared, once its first ones have been. */
export const comparisonInterval = 100

/**
 * Decides which final deposits wait: those of tokens on hold, those that are to be compared with balances first, and
 * those of a sibling of a token, each of which an operator decides.
 */
export class TokenGate {
  readonly #uow: UnitOfWork
  readonly #assets: ChainAssets
  readonly #first: number
  readonly #passed = new Map<string, number>()

  /** @param first the number of the first deposits of a token that are compared; 0 compares none */
  constructor(uow: UnitOfWork, assets: ChainAssets, first: number) {
    this.#uow = uow
    this.#assets = assets
    this.#first = first
  }

  /** Whether an operator decides about each deposit of an asset, or about the asset first. */
  isDecided(assetId: string): boolean {
    const asset = this.#assets.get(assetId)
    return asset !== undefined && (isSibling(asset) || asset.hold !== null)
  }

  /** Whether a final deposit, stored as `before` if it is, must wait. Counts those that need not. */
  holds(assetId: string, before: StoredDeposit | undefined): boolean {
    const asset = this.#assets.get(assetId)
    if (!asset || asset.contract === null) return false
    // guard: sibling-waits
    if (isSibling(asset)) return true
    if (asset.hold !== null || before?.held_at != null) return true
    if (this.#first === 0) return false
    const passed = this.#passed.get(assetId) ?? 0
    // guard: token-compared
    if (asset.compared < this.#first || asset.compare_in <= passed) return true
    this.#passed.set(assetId, passed + 1)
    return false
  }

  /** Saves the counts. */
  save(): void {
    this.#uow.add(
      passes,
      [...this.#passed].map(([asset_id, passed]) => ({ asset_id, passed })),
    )
  }
}

const pass = run(
  'assets-passed',
  `update assets a set compare_in = greatest(compare_in - r.passed, 0)
   from json_to_recordset($1::json) as r (asset_id text, passed int) where a.id = r.asset_id`,
)

const passes: UnitOfWorkPart<{ asset_id: string; passed: number }> = {
  name: 'comparisons',
  write: (c, rows) => pass(c, toJson(rows)),
}
