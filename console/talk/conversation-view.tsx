import { useEffect, useRef } from 'preact/hooks'
import type { ConversationItem } from '../../client/src/index.ts'
import { briefly, text } from '../shared/texts.ts'

type ConversationViewProps = {
  readonly items: readonly ConversationItem[]
  /** By the item that answered. */
  readonly latencies: ReadonlyMap<string, number>
}

/** What was said, and which tools were asked for what. */
export function ConversationView({ items, latencies }: ConversationViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const length = items.reduce((sum, { text: said }) => sum + said.length, items.length)
  useEffect(() => box.current?.scrollTo({ top: box.current.scrollHeight }), [length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div class="captions" role="log" aria-label={text('captions')} tabIndex={0} ref={box}>
      {items.length === 0 && <Beginning />}
      {items.map((item) => (
        <ItemView key={item.id} item={item} latencyMs={latencies.get(item.id)} />
      ))}
    </div>
  )
}

/** Before the first word: what one could say. */
const Beginning = () => (
  <div class="empty">
    <p class="quiet">{text('captionsNone')}</p>
    <ul class="sayings" aria-label={text('trySaying')}>
      {[text('saying1'), text('saying2'), text('saying3')].map((saying) => (
        <li>{saying}</li>
      ))}
    </ul>
  </div>
)

type ItemViewProps = { readonly item: ConversationItem; readonly latencyMs: number | undefined }

function ItemView({ item, latencyMs }: ItemViewProps) {
  if (item.type === 'function_call')
    return (
      <p class="caption tool">
        <span class="chip">{text('toolCall')}</span>
        <code>{`${item.name}(${item.arguments === '{}' ? '' : item.arguments})`}</code>
      </p>
    )
  if (item.type === 'function_call_output')
    return (
      <p class="caption tool">
        <span class="chip">{text('toolResult')}</span>
        <code>{item.output}</code>
      </p>
    )
  const isUser = item.role === 'user'
  return (
    <div class={isUser ? 'caption user' : 'caption'}>
      <strong>{text(isUser ? 'you' : 'lipik')}</strong>
      <p class={item.status === 'in_progress' ? 'growing' : ''}>{item.text === '' ? '…' : item.text}</p>
      {latencyMs !== undefined && <span class="quiet">{text('latency', { time: briefly(latencyMs) })}</span>}
    </div>
  )
}
