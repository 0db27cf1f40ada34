import { readFileSync } from 'node:fs'

/** The version of this Coffer, from the package at the root of the repository. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
).version
