import { languageList, languages } from '@coffer/contract/languages.ts'
import { language } from '../i18n/language.ts'
import { chooseLanguage, useMessages } from '../i18n/messages.ts'
import { useCell } from '../lib/useCell.ts'
import { chooseTheme, type Theme, theme, themes } from '../theme/theme.ts'
import { IconButton } from '../ui/controls/Button.tsx'
import { Menu } from '../ui/controls/Menu.tsx'
import type { IconName } from '../ui/icons.tsx'

export function LanguagePicker() {
  const t = useMessages('common')
  const inUse = useCell(language)
  const items = languageList.map(each => ({
    key: each,
    label: languages[each].name,
    lang: each,
    checked: each === inUse,
    onSelect: () => void chooseLanguage(each),
  }))
  return (
    <Menu
      label={t.language}
      items={items}
      trigger={props => <IconButton icon="globe" label={t.language} {...props} />}
    />
  )
}

const themeIcons: Record<Theme, IconName> = { light: 'sun', dark: 'moon', system: 'screen' }

export function ThemePicker() {
  const t = useMessages('common')
  const inUse = useCell(theme)
  const items = themes.map(each => ({
    key: each,
    label: t.themes[each],
    icon: themeIcons[each],
    checked: each === inUse,
    onSelect: () => chooseTheme(each),
  }))
  return (
    <Menu
      label={t.theme}
      items={items}
      trigger={props => <IconButton icon={themeIcons[inUse]} label={t.theme} {...props} />}
    />
  )
}
