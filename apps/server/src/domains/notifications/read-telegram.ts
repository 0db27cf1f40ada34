import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { isCopy } from '../../kit/copy-switch.ts'
import { first, run } from '../../kit/db.ts'
import { hashSecret } from '../../kit/secrets.ts'
import type { TelegramText } from '../../outside/telegram.ts'
import { channelAddressAt, channelByCode, deleteUnlinked, linkChannel } from './channel-store.ts'

/** Longer (s) than a request for updates takes: after it another server reads. */
const readingSeconds = 60

const insertBot = run(
  'telegram-bot-insert',
  'insert into telegram_bots (id, last_id, reading_until) values ($1, 0, 0) on conflict do nothing',
)
/** Reserves the reading for one server. */
const beginReading = first(
  'telegram-reading-begin',
  `update telegram_bots set reading_until = $2 + ${readingSeconds} where id = $1 and reading_until <= $2
   returning last_id`,
)
const endReading = run(
  'telegram-reading-end',
  'update telegram_bots set last_id = greatest(last_id, $2), reading_until = 0 where id = $1',
)

const answers = {
  en: {
    linked: (shop: string) => ({ title: 'Linked', text: `Your messages of ${shop} arrive here from now on.` }),
    unknown: { title: 'This link does not work', text: 'It has expired or was used. Make a new one under Messages.' },
    private: { title: 'Not in groups', text: 'Open the link in a chat with the bot alone.' },
  },
  'zh-CN': {
    linked: (shop: string) => ({ title: '已关联', text: `${shop} 的消息今后将发送到这里。` }),
    unknown: { title: '链接无效', text: '链接已过期或已使用，请在“消息”页面重新获取。' },
    private: { title: '不支持群组', text: '请在与机器人的单独对话中打开链接。' },
  },
}

/** The code of `/start <code>`, which Telegram sends for a link; undefined for any other text. */
const codeIn = (text: string) => /^\/start ([\w-]{20,64})$/.exec(text)?.[1]

/**
 * Reads what people wrote to the bot, and links the chats whose code somebody made in the back-office. The bot answers
 * nothing else: its buttons lead to pages, where people are signed in. Returns whether there may be more.
 */
export async function readTelegram(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { telegram, config, pool, clock, log } = deps
  if (!telegram || signal.aborted || (await isCopy(pool))) return false
  const [bot = ''] = config.telegramToken.split(':', 1)
  await deleteUnlinked(pool, clock())
  let reading = await beginReading(pool, bot, clock())
  if (!reading) {
    await insertBot(pool, bot)
    reading = await beginReading(pool, bot, clock())
  }
  if (!reading) return false
  let last = reading.last_id
  try {
    for (const each of await telegram.read(last, signal)) {
      await answer(deps, each).catch(error => log.error({ err: error }, 'text of Telegram not answered'))
      last = each.id
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await endReading(pool, bot, last)
  }
  return !signal.aborted
}

async function answer(deps: Deps, { chat, text, language: tag = '' }: TelegramText): Promise<void> {
  const code = chat && codeIn(text)
  if (!chat || !code) return
  const { telegram, pool, clock, seal, config } = deps
  const writer = languageOf(tag)
  const say = (said: { title: string; text: string }, language = writer) =>
    telegram!.send(chat.id, {
      ...said,
      link: `${config.publicUrl}/user/messages`,
      notes: '',
      button: { en: 'Open', 'zh-CN': '打开' }[language],
    })
  if (!chat.isPrivate) return void (await say(answers[writer].private))
  const name = chat.name ? `Telegram @${chat.name}`.slice(0, 40) : 'Telegram'
  const hash = hashSecret(code)
  const found = await channelByCode(pool, hash, clock())
  const address = found && seal.seal(chat.id, channelAddressAt(found.id))
  if (!found || !address || (await linkChannel(pool, found.id, hash, address, name)) === 0)
    return void (await say(answers[writer].unknown))
  const language = languageOf(found.language)
  await say(answers[language].linked(found.shop), language)
}
