import { Combobox as Base } from '@base-ui/react/combobox'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { controlClass, cx, itemClass, popupClass } from '../classes.ts'
import { Icon } from '../icons.tsx'
import type { ControlProps } from './Field.tsx'

interface Props<T> extends Partial<ControlProps> {
  value: T | null
  items: readonly T[]
  onChange(value: T | null): void
  /** The text shown in the field and searched. */
  text(item: T): string
  itemKey(item: T): string
  /** Renders an item in the list; defaults to its text. */
  draw?(item: T): ReactNode
  placeholder?: string
  disabled?: boolean
  className?: string
}

/** A select with search, for long lists and lists with images. */
export function Combobox<T>({
  value,
  items,
  onChange,
  text,
  itemKey,
  draw,
  placeholder,
  disabled,
  className,
  ...control
}: Props<T>) {
  const t = useMessages('common')
  return (
    <Base.Root
      items={items}
      value={value}
      onValueChange={onChange}
      itemToStringLabel={text}
      isItemEqualToValue={(a, b) => itemKey(a) === itemKey(b)}
      disabled={disabled ?? false}
      autoHighlight
    >
      <Base.InputGroup className={cx('relative', className)}>
        {/* The open list hides the label beside it, which names the field all the same when referred to. */}
        <Base.Input
          {...control}
          {...(control.id && { 'aria-labelledby': `${control.id}-label` })}
          placeholder={placeholder}
          className={cx(controlClass, 'pr-9')}
        />
        <Base.Trigger
          aria-label={t.more}
          className="absolute inset-y-0 right-0 flex w-9 items-center justify-center text-ink-3"
        >
          <Icon name="chevronDown" size={16} />
        </Base.Trigger>
      </Base.InputGroup>
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-40">
          <Base.Popup className={cx(popupClass, 'relative max-h-72 w-(--anchor-width) min-w-44 overflow-y-auto p-1')}>
            <Base.Empty className="px-3 py-2 text-[13px] text-ink-3 empty:hidden">{t.nothingFound}</Base.Empty>
            <Base.List>
              {(item: T) => (
                <Base.Item key={itemKey(item)} value={item} className={itemClass}>
                  <span className="min-w-0 grow">{draw ? draw(item) : text(item)}</span>
                  <Base.ItemIndicator>
                    <Icon name="check" size={16} className="text-accent-text" />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
