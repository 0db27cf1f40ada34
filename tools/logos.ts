import { mainnets } from '@coffer/chains'

/** The ids by which the back-office finds the logos of chains. */
export async function generateLogos(): Promise<{ path: string; content: string }[]> {
  const ids = JSON.stringify(Object.fromEntries(Object.values(mainnets).map(({ name, id }) => [name, id])), null, 2)
  const content = `export const idsByName: Record<string, string> = ${ids}\n`
  return [{ path: 'apps/web/src/ui/logos/generated/chains.ts', content }]
}
