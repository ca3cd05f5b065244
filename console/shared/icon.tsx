const PATHS = {
  upload: 'M12 16V4m0 0-4 4m4-4 4 4M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  play: 'M7 4v16l13-8z',
  pause: 'M7 4h4v16H7zM14 4h4v16h-4z',
  close: 'M6 6l12 12M18 6 6 18',
  retry: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  trash: 'M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13',
  stop: 'M6 6h12v12H6z',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  download: 'M12 4v12m0 0-4-4m4 4 4-4M4 20h16',
  mic: 'M12 15a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zm-7-3a7 7 0 0 0 14 0M12 19v3',
  micOff: 'M4 4l16 16M9 9v3a3 3 0 0 0 4.5 2.6M15 11V6a3 3 0 0 0-5.7-1.3M5 12a7 7 0 0 0 11 5.7M12 19v3',
  light:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  dark: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
  auto: 'M12 3a9 9 0 1 0 0 18zm0 0a9 9 0 0 1 0 18',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h10',
  back: 'M15 5l-7 7 7 7',
  down: 'M6 9l6 6 6-6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 5 5',
} as const

const FILLED: readonly string[] = ['play', 'pause', 'stop']

export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={FILLED.includes(name) ? 'icon filled' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

/** The letters' headline, and under it sound. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 64 64" aria-hidden="true">
    <rect width="64" height="64" rx="14" />
    <path d="M12 20h40M20 22v22M30 30v10M40 22v26M50 32v6" />
  </svg>
)
