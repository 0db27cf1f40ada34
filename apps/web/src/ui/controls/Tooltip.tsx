import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const gapPx = 6
const edgePx = 8

interface Props {
  text: ReactNode
  /** Receives the props of the trigger, which must be focusable for keyboard users. */
  children(props: TipProps): ReactNode
}

export interface TipProps {
  'aria-describedby': string | undefined
  onPointerEnter(event: { currentTarget: Element }): void
  onPointerLeave(): void
  onFocus(event: { currentTarget: Element }): void
  onBlur(): void
}

/** A help text shown on hover or focus. Escape hides it. */
export function Tooltip({ text, children }: Props) {
  const id = useId()
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const hide = () => setAnchor(null)
  const show = (event: { currentTarget: Element }) => setAnchor(event.currentTarget.getBoundingClientRect())
  return (
    <>
      {children({
        'aria-describedby': anchor ? id : undefined,
        onPointerEnter: show,
        onPointerLeave: hide,
        onFocus: show,
        onBlur: hide,
      })}
      {anchor && <Tip id={id} anchor={anchor} text={text} onHide={hide} />}
    </>
  )
}

export function Tip({ id, anchor, text, onHide }: { id: string; anchor: DOMRect; text: ReactNode; onHide(): void }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const { width, height } = element.getBoundingClientRect()
    const left = anchor.left + anchor.width / 2 - width / 2
    const above = anchor.top - height - gapPx
    element.style.left = `${Math.max(edgePx, Math.min(left, innerWidth - width - edgePx))}px`
    element.style.top = `${above < edgePx ? anchor.bottom + gapPx : above}px`
    element.style.visibility = 'visible'
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onHide()
    addEventListener('keydown', onKey)
    addEventListener('scroll', onHide, true)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('scroll', onHide, true)
    }
  }, [anchor, onHide])
  return createPortal(
    <div
      ref={box}
      id={id}
      role="tooltip"
      className="pointer-events-none invisible fixed z-50 max-w-72 rounded-md break-words bg-ink px-2.5 py-1.5 text-xs text-canvas"
    >
      {text}
    </div>,
    document.body,
  )
}
