import styles from './Icon.module.css'

/** Our icons: a 24 px grid, one stroke of 1.75, in the color of the surrounding text. */
const paths = {
  back: 'm14.5 5.5-6.5 6.5 6.5 6.5',
  forward: 'm9.5 5.5 6.5 6.5-6.5 6.5',
  down: 'm6 9.5 6 6 6-6',
  close: 'm6.5 6.5 11 11m0-11-11 11',
  help: 'M9.2 9.3a2.9 2.9 0 1 1 4.4 2.5c-1 .6-1.6 1.2-1.6 2.2m0 3.1v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  search: 'm20 20-4.4-4.4M10.8 17.6a6.8 6.8 0 1 0 0-13.6 6.8 6.8 0 0 0 0 13.6Z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  copy: 'M9 9h8.5A2.5 2.5 0 0 1 20 11.5V18a2.5 2.5 0 0 1-2.5 2.5H11A2.5 2.5 0 0 1 8.5 18V9.5M15.5 6V5.5A2.5 2.5 0 0 0 13 3H6.5A2.5 2.5 0 0 0 4 5.5V13a2.5 2.5 0 0 0 2.5 2.5',
  send: 'M7 17 17 7m-8.5 0H17v8.5',
  receive: 'M17 7 7 17m8.5 0H7V8.5',
  swap: 'M7.5 4.5v14m0 0L4 15m3.5 3.5L11 15m5.5 4.5v-14m0 0L13 9m3.5-3.5L20 9',
  external:
    'M13.5 4.5h6v6m-.5-5.5-8 8M10 6H7a2.5 2.5 0 0 0-2.5 2.5V17A2.5 2.5 0 0 0 7 19.5h8.5A2.5 2.5 0 0 0 18 17v-3',
  disconnect:
    'M14 4.5H7A2.5 2.5 0 0 0 4.5 7v10A2.5 2.5 0 0 0 7 19.5h7M10 12h10.5m-3.5-3.5 3.5 3.5-3.5 3.5',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4L19.5 9m0-4.5V9H15',
  alert: 'M12 8v4.5m0 3.5v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  wallet:
    'M17 8V6a2 2 0 0 0-2-2H6.5a2.5 2.5 0 0 0 0 5H18a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6.5A2.5 2.5 0 0 1 4 17.5V6.5M16 14.5h.1',
  key: 'M14.5 14a5 5 0 1 0-4.7-3.3L4 16.5V20h3.5v-2.5H10V15l1.3-1.3a5 5 0 0 0 3.2.3ZM16 8.5h.1',
  grid: 'M5 5h5v5H5V5Zm9 0h5v5h-5V5ZM5 14h5v5H5v-5Zm9 0h5v5h-5v-5Z',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0 0c2.2 0 4-4 4-9s-1.8-9-4-9-4 4-4 9 1.8 9 4 9ZM3.5 12h17',
  image:
    'M6.5 4.5h11a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Zm-2 11.5 4.5-4.5 5 5m-1-1 2.5-2.5 4 4M15 9h.1',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-13.5V12l3 2',
  coins: 'M9.5 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm6.6-4.4a5.5 5.5 0 1 1-7 7',
  drop: 'M12 3.8c-3 3.3-5.7 6.6-5.7 10a5.7 5.7 0 0 0 11.4 0c0-3.4-2.7-6.7-5.7-10Z',
  paste:
    'M9 5H7.5a2 2 0 0 0-2 2v11.5a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2H15M9.5 3.5h5V7h-5V3.5Z',
  download: 'M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 19.5h14',
  phone: 'M8.5 3.5h7a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2Zm2.5 14h2',
  qr: 'M4.5 4.5h5.5V10H4.5V4.5Zm9.5 0h5.5V10H14V4.5ZM4.5 14H10v5.5H4.5V14ZM14 14h2.2v2.2M19.5 14v.1M14 19.5v.1m3-.1h2.5V17',
  mail: 'M6 5.5h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2Zm-1.5 1.6 7.5 6 7.5-6',
  sliders:
    'M4 8h9m4 0h3M4 16h3m4 0h9M15 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Zm-6 8a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  tag: 'M11.5 4.5h6a2 2 0 0 1 2 2v6L12 20a1.6 1.6 0 0 1-2.3 0L4 14.3a1.6 1.6 0 0 1 0-2.3l7.5-7.5Zm4.5 3.9h.1',
  shield: 'M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6l-7-2.5Zm-3 8.5 2.2 2.2L15.5 10',
} as const

export type IconName = keyof typeof paths

/** An icon. It is decoration only, so a label must be next to it or on its button. */
export function Icon({ name, size = 20 }: { name: IconName; size?: 16 | 20 | 24 | 28 }) {
  return (
    <svg
      className={styles.icon}
      data-mirror={name === 'back' || name === 'forward' || name === 'disconnect' || undefined}
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
}
