/** Icons of the page: a 24 px grid, one stroke of 1.75, as in the modal. */
const paths = {
  send: 'M7 17 17 7m-8.5 0H17v8.5',
  receive: 'M17 7 7 17m8.5 0H7V8.5',
  swap: 'M7.5 4.5v14m0 0L4 15m3.5 3.5L11 15m5.5 4.5v-14m0 0L13 9m3.5-3.5L20 9',
  home: 'M4.5 11 12 4.5l7.5 6.5v7a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18v-7Zm5 8.5v-5h5v5',
  code: 'm8.5 7.5-5 4.5 5 4.5m7-9 5 4.5-5 4.5M13.5 5l-3 14',
  server:
    'M6 4h12a2 2 0 0 1 2 2v3.5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm0 8.5h12a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-3.5a2 2 0 0 1 2-2ZM7.5 7.75h.1m-.1 8.5h.1',
  hidden:
    'M4 4l16 16M10 5.2A9 9 0 0 1 12 5c4.6 0 8 3.4 9.5 7a12 12 0 0 1-2.4 3.7M6.3 6.7A12 12 0 0 0 2.5 12c1.5 3.6 4.9 7 9.5 7a9.3 9.3 0 0 0 4.9-1.4M9.9 9.9a3 3 0 0 0 4.2 4.2',
  eye: 'M2.5 12C4 8.4 7.4 5 12 5s8 3.4 9.5 7c-1.5 3.6-4.9 7-9.5 7s-8-3.4-9.5-7Zm9.5 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  mail: 'M6 5.5h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2Zm-1.5 2 7.5 5.5 7.5-5.5',
  copy: 'M9 9h8.5A2.5 2.5 0 0 1 20 11.5V18a2.5 2.5 0 0 1-2.5 2.5H11A2.5 2.5 0 0 1 8.5 18V9.5M15.5 6V5.5A2.5 2.5 0 0 0 13 3H6.5A2.5 2.5 0 0 0 4 5.5V13a2.5 2.5 0 0 0 2.5 2.5',
  image:
    'M6.5 4.5h11a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Zm-2 11.5 4.5-4.5 5 5m-1-1 2.5-2.5 4 4M15 9h.1',
  more: 'M5 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1Zm7 0a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1Zm7 0a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1Z',
  down: 'm7 10 5 5 5-5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-13.5V12l3 2',
  wallet:
    'M17 8V6a2 2 0 0 0-2-2H6.5a2.5 2.5 0 0 0 0 5H18a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6.5A2.5 2.5 0 0 1 4 17.5V6.5M16 14.5h.1',
  coins: 'M9.5 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm6.6-4.4a5.5 5.5 0 1 1-7 7',
  person:
    'M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5Zm-7 8c.6-3.6 3.5-5.5 7-5.5s6.4 1.9 7 5.5',
  drop: 'M12 3.5s6 6.3 6 10.5a6 6 0 0 1-12 0c0-4.2 6-10.5 6-10.5Z',
  dark: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z',
  light:
    'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v1.6m0 15.8v1.6M2.5 12h1.6m15.8 0h1.6M5.3 5.3l1.1 1.1m11.2 11.2 1.1 1.1m0-13.4-1.1 1.1M6.4 17.6l-1.1 1.1',
  system:
    'M4.5 5h15a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 14.5v-8A1.5 1.5 0 0 1 4.5 5Zm4 14.5h7M12 16v3.5',
} as const

export type GlyphName = keyof typeof paths

/** One icon, for decoration only: a label is next to it or on its button. */
export const Glyph = ({ name, size = 20 }: { name: GlyphName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)
