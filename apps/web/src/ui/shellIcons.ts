/** Icons around the pages, apart from those of `icons.tsx`, which the login page loads. */
export const shellIcons = {
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  bell: 'M4.5 14.5h11l-1.3-2V8.7a4.2 4.2 0 0 0-8.4 0v3.8zM8.3 16.8a1.9 1.9 0 0 0 3.4 0',
  user: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5',
  home: 'm3 9 7-5.5L17 9v7.5h-4.5V12h-5v4.5H3z',
  list: 'M7.5 5.5H17M7.5 10H17M7.5 14.5H17M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01',
  wallet: 'M3 6h14v10H3zM3 6l9.5-2.5V6M13 11h1.5',
  plus: 'M10 4v12M4 10h12',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  refresh: 'M16 8.5A6.3 6.3 0 0 0 4.3 7.5M4 4v3.5h3.5M4 11.5a6.3 6.3 0 0 0 11.7 1M16 16v-3.5h-3.5',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 4 4',
  filter: 'M3 5h14l-5.5 6v5l-3-1.5V11z',
} as const
