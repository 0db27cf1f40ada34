import { announce } from '../domains/notifications/announce.ts'
import type { Command } from './command.ts'

export const announcementCommands: Command[] = [
  {
    usage: 'announce <title> <content> [<Chinese title> <Chinese content>]',
    help: 'send an announcement to every merchant',
    async run(deps, [title = '', content = '', titleZh = title, contentZh = content]) {
      const count = await announce(deps, {
        en: { title, content },
        'zh-CN': { title: titleZh, content: contentZh },
      })
      return `Announced to ${count} merchants.`
    },
  },
]
