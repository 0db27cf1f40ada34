import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { changeApplication } from '../store/applications.ts'
import { tx } from '../store/db.ts'
import { isTaken } from '../store/taken.ts'
import type { Visitor } from '../visitor.ts'
import { type ApplicationSettings, checkLogos, type GivenSettings, onlyGiven } from './create-application.ts'
import { recordEvent } from './record-event.ts'

/** Changes what was given, and enables (1) or disables (2). The callback address has a command of its own. */
export async function editApplication(
  deps: Deps,
  input: {
    merchantId: string
    appid: string
    settings: Omit<GivenSettings, 'notify_url'>
    status?: number | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId, appid, status } = input
  const settings: Partial<ApplicationSettings> = onlyGiven(input.settings)
  if (settings.name !== undefined) settings.name = settings.name.trim()
  await tx(deps.pool, async c => {
    await checkLogos(c, merchantId, settings)
    const changes = status === undefined ? settings : { ...settings, status }
    if (!(await changeApplication(c, merchantId, appid, changes))) throw new Refusal('application_not_exist')
    await recordEvent(deps, c, { merchantId, type: 'application_changed', from: input.from })
  }).catch(error => {
    throw isTaken(error, 'applications_name') ? new Refusal('name_duplicate', { field: 'name' }) : error
  })
}
