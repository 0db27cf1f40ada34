import { z } from 'zod'
import { settingChannels, settingModes } from '../kit/message-settings.ts'
import { defineRoutes } from '../kit/route.ts'
import { emptyObject, validatedText } from '../kit/schemas.ts'
import { isTimeZone } from '../kit/texts.ts'

const hour = z.int().min(0).max(23)
const quiet = {
  quiet_from: hour.describe('The hour at which quiet hours begin'),
  quiet_until: hour.describe('The hour at which they end; the same as `quiet_from`: there are none'),
}
const mode = z.enum(settingModes)
const isTimeZoneOrEmpty = (text: string) => text === '' || isTimeZone(text)

/** What of a shop reaches a member, by which channel and when. */
export const messageSettingRoutes = defineRoutes({
  'GET /api/v1/message/settings': {
    who: 'oneself',
    summary: 'Read what reaches you of this shop, by which channel and when',
    data: z.object({
      ...quiet,
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
      ...quiet,
      time_zone: validatedText(isTimeZoneOrEmpty, 'parameter_error').describe('Empty: that of the browser'),
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
