import { Menu } from '@base-ui/react/menu'
import type { RefObject } from 'react'
import { cx, itemClass, popupClass } from '../classes.ts'
import { Icon, type IconName } from '../icons.tsx'

export interface MenuItem {
  key: string
  label: string
  icon?: IconName
  /** For choices: whether this one is selected. */
  checked?: boolean
  disabled?: boolean
  danger?: boolean
  /** The label's language, if not the page's. */
  lang?: string
  onSelect(): void
}

interface Props {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  align?: 'start' | 'end' | undefined
  items: readonly MenuItem[]
  onClose(): void
}

/**
 * Base UI surrounds a menu with elements that take the focus but are hidden from screen readers. They are not rendered:
 * Tab closes the menu and returns to its button.
 */
const noGuards = '[&_[data-base-ui-focus-guard]]:hidden'

/** The open menu, loaded on first use. */
export default function MenuPopup({ id, label, anchor, align = 'end', items, onClose }: Props) {
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(open, details) => {
        if (!open && !anchor.current?.contains(details.event.target as Node)) onClose()
        else if (!open && details.reason !== 'outside-press') onClose()
      }}
    >
      <div className={cx('contents', noGuards)}>
        <Menu.Portal className={noGuards}>
          <Menu.Positioner anchor={anchor} align={align} sideOffset={6} collisionPadding={8} className="z-40">
            <Menu.Popup
              id={id}
              aria-label={label}
              finalFocus={anchor}
              onKeyDown={event => {
                if (event.key !== 'Tab') return
                event.preventDefault()
                onClose()
              }}
              className={cx(popupClass, 'min-w-44 p-1')}
            >
              {items.map(item => (
                <Item key={item.key} item={item} />
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </div>
    </Menu.Root>
  )
}

function Item({ item }: { item: MenuItem }) {
  const look = cx(itemClass, item.danger && 'text-bad')
  const contents = (
    <>
      {item.icon && <Icon name={item.icon} size={16} className={item.danger ? '' : 'text-ink-3'} />}
      <span lang={item.lang} className="grow">
        {item.label}
      </span>
      {item.checked && <Icon name="check" size={16} className="text-accent-text" />}
    </>
  )
  if (item.checked === undefined) {
    return (
      <Menu.Item disabled={item.disabled ?? false} onClick={item.onSelect} className={look}>
        {contents}
      </Menu.Item>
    )
  }
  return (
    <Menu.CheckboxItem checked={item.checked} closeOnClick onCheckedChange={item.onSelect} className={look}>
      {contents}
    </Menu.CheckboxItem>
  )
}
