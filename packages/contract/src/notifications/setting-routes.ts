import { z } from 'zod'
import { settingChannels, settingModes } from '../kit/message-settings.ts'
import { defineRoutes } from '../kit/route.ts'
import { emptyObject, quietHours, timeZoneOrEmpty } from '../kit/schemas.ts'

const mode = z.enum(settingModes)

/** What of a shop reaches a member, by which channel and when. */
export const messageSettingRoutes = defineRoutes({
  'GET /api/v1/message/settings': {
    who: 'oneself',
    summary: 'Read what reaches you of this shop, by which channel and when',
    data: z.object({
      ...quietHours,
      time_zone: z.string().describe('In which messages say times; empty where none is known'),
      time_zone_chosen: z.boolean().describe('False: it is that of the browser of the last sign-in'),
      list: z.array(
        z.object({
          event: z.string(),
          group: z.string().describe('What it is about'),
          name: z.string(),
          channels: z.array(z.object({ channel: z.enum(settingChannels), mode, default: mode })),
        }),
      ),
      always: z.array(z.string()).describe('Names of what always comes, at once'),
    }),
  },
  'PUT /api/v1/message/settings': {
    who: 'oneself',
    summary: 'Choose what reaches you of this shop. What is not named comes as by default',
    body: z.strictObject({
      ...quietHours,
      time_zone: timeZoneOrEmpty.describe('Empty: that of the browser'),
      list: z
        .array(
          z.strictObject({
            event: z.string().max(64),
            channel: z.enum(settingChannels),
            mode,
          }),
        )
        .max(300),
    }),
    data: emptyObject,
  },
})
