import { Link as RouterLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx, linkClass } from './classes.ts'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  search?: Record<string, string | number | undefined>
  /** `button` classes or none: a card or row that is a link. */
  look?: 'text' | 'none'
}

/** A link inside the back-office. The page's code is fetched when it is pointed at. */
export const Link = ({ to, search, look = 'text', className, ...rest }: Props) => (
  <RouterLink
    to={to}
    {...(search && { search: search as never })}
    {...rest}
    className={cx(look === 'text' && linkClass, className)}
  />
)

/** A link that leaves the back-office. */
export const OutsideLink = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noreferrer" className={cx(linkClass, className)} />
)
