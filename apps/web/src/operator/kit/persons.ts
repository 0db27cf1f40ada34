import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { joinList } from '../../i18n/listed.ts'
import { useRead } from './api.ts'

type OperatorName = OperatorData<'GET /api/operator/v1/decisions'>['list'][number]['who'][number]

/** Names operators by the e-mails that they had. */
export const joinNames = (names: readonly OperatorName[]): string => joinList(names.map(each => each.email))

/** Returns whether whoever is signed in is one of some operators; undefined until that is known. */
export function useIsOneOf(): (names: readonly OperatorName[]) => boolean | undefined {
  const me = useRead('GET /api/operator/v1/session', {}).data?.id
  return names => (me === undefined ? undefined : names.some(each => each.id === me))
}
