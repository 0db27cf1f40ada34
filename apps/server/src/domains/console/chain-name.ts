import type { Deps } from '../../deps.ts'

/** The name of a chain; its id where it is not configured, and nothing without one. */
export const chainName = ({ chains }: Pick<Deps, 'chains'>, id: string | null): string =>
  (id && (chains.get(id)?.definition.name ?? id)) || ''
