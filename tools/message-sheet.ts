import type { Language } from '@coffer/contract/languages.ts'

/** A message as its receiver sees it. */
export interface Shown {
  way: string
  title: string
  text: string
  /** Below the text. */
  button?: string
}
/** The messages of one case, one for each channel that has it. */
export interface Column {
  name: 'one' | 'several' | 'lost'
  shown: Shown[]
}

const heads: Record<Language, Record<Column['name'], string>> = {
  en: { one: 'One event', several: 'Several at once', lost: 'Money may be lost' },
  'zh-CN': { one: '单条消息', several: '合并为一条', lost: '可能造成资金损失' },
}
const names: Record<string, Record<Language, string>> = {
  mail: { en: 'Mail', 'zh-CN': '邮件' },
  text: { en: 'Text message', 'zh-CN': '短信' },
  push: { en: 'Device', 'zh-CN': '设备推送' },
  telegram: { en: 'Telegram', 'zh-CN': 'Telegram' },
  slack: { en: 'Slack', 'zh-CN': 'Slack' },
  discord: { en: 'Discord', 'zh-CN': 'Discord' },
  feishu: { en: 'Feishu, Lark', 'zh-CN': '飞书、Lark' },
  dingtalk: { en: 'DingTalk', 'zh-CN': '钉钉' },
  wecom: { en: 'WeCom', 'zh-CN': '企业微信' },
  hook: { en: 'System of your own', 'zh-CN': '自有系统' },
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** Text with links as clients show them. */
const linked = (text: string) => escapeHtml(text).replace(/https?:\/\/[^\s，。）]+/g, link => `<a>${link}</a>`)

const style = `
  * { box-sizing: border-box; margin: 0 }
  body { padding: 20px; background: #f3f4f6; color: #1c2430; font: 13px/1.5 'Noto Sans SC', 'Noto Sans', system-ui, sans-serif }
  .columns { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px; align-items: start }
  h2 { font-size: 17px; margin-bottom: 12px }
  section { background: #fff; border: 1px solid #e1e4e9; border-radius: 8px; padding: 12px 14px; margin-bottom: 12px }
  h3 { font-size: 11px; font-weight: 600; color: #6b7482; margin-bottom: 6px }
  strong { display: block; font-size: 14px; margin-bottom: 4px }
  p { white-space: pre-wrap; overflow-wrap: anywhere }
  a { color: #1f5fbf }
  code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.45 monospace }
  button { width: 100%; margin-top: 8px; padding: 5px; border: 0; border-radius: 6px; background: #e8f0fb; color: #1f5fbf; font: inherit }
`

/** Draws one for all channels that show the same. */
const renderShown = (ways: readonly string[], { way, title, text, button }: Shown, language: Language) => `<section>
  <h3>${ways.map(each => names[each]?.[language] ?? each).join({ en: ', ', 'zh-CN': '、' }[language])}</h3>
  ${title && `<strong>${escapeHtml(title)}</strong>`}
  ${way === 'hook' ? `<code>${escapeHtml(text)}</code>` : `<p>${linked(text.trimEnd())}</p>`}
  ${button ? `<button>${escapeHtml(button)}</button>` : ''}
</section>`

const renderColumn = (shown: readonly Shown[], language: Language) =>
  [...Map.groupBy(shown, ({ way: _, ...what }) => JSON.stringify(what)).values()]
    .map(same =>
      renderShown(
        same.map(each => each.way),
        same[0]!,
        language,
      ),
    )
    .join('')

/** Draws the page that is photographed. */
export const renderSheet = (language: Language, columns: readonly Column[]): string => `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><style>${style}</style><div class="columns">${columns
  .map(({ name, shown }) => `<div><h2>${heads[language][name]}</h2>${renderColumn(shown, language)}</div>`)
  .join('')}</div></html>`
