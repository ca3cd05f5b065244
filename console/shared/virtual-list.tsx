import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

export type VirtualListProps = {
  readonly count: number
  readonly label: string
  /** What a row is likely to be high; it is measured once it is there. */
  readonly estimate: number
  readonly renderRow: (index: number) => ComponentChildren
  /** Told which rows are in sight, whenever that changes. */
  readonly onRange?: (first: number, last: number) => void
  /** The row that must be in sight; changing it scrolls. */
  readonly shown?: number | undefined
}

/** A list of any length that holds only the rows in sight. */
export function VirtualList({ count, label, estimate, renderRow, onRange, shown }: VirtualListProps) {
  const box = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer(box, count, estimate)
  const rows = virtualizer.getVirtualItems()
  const [first, last] = [rows[0]?.index, rows.at(-1)?.index]
  useEffect(() => {
    if (first !== undefined && last !== undefined) onRange?.(first, last)
  }, [first, last, count, onRange])
  useEffect(() => {
    if (shown !== undefined && shown < count) virtualizer.scrollToIndex(shown, { align: 'center' })
  }, [shown])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="virtual" ref={box} tabIndex={0} aria-label={label}>
      <ul class="virtual-space" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {rows.map(({ index, start, key }) => (
          <li
            key={key}
            class="virtual-row"
            data-index={index}
            ref={(element) => virtualizer.measureElement(element)}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {renderRow(index)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function useVirtualizer(box: RefObject<HTMLElement>, count: number, estimate: number) {
  const [, draw] = useReducer<number, void>((n) => n + 1, 0)
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    overscan: 4,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(),
  }
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLLIElement>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => virtualizer._willUpdate())
  return virtualizer
}
