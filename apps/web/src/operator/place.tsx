import type { ComponentProps, MouseEvent } from 'react'
import { cell } from '../lib/cell.ts'
import { useCell } from '../lib/useCell.ts'
import { linkClass } from '../ui/classes.ts'

const here = () => location.pathname + location.search

/** The path in view, with its search. */
const place = cell(here())
addEventListener('popstate', () => place.set(here()))

export function goTo(path: string): void {
  history.pushState(null, '', path)
  place.set(path)
  scrollTo(0, 0)
}

/** The page in view, and the id after it: /merchants/M123 is `merchants` and `M123`. */
export function usePlace(): { page: string; id: string | undefined; search: URLSearchParams } {
  const [path = '', search] = useCell(place).split('?')
  const [, page = '', id] = path.split('/')
  return { page, id, search: new URLSearchParams(search) }
}

/** A link within the console. */
export function A({ to, className = linkClass, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const onClick = (event: MouseEvent) => {
    rest.onClick?.(event as MouseEvent<HTMLAnchorElement>)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    goTo(to)
  }
  return <a {...rest} href={to} className={className} onClick={onClick} />
}
