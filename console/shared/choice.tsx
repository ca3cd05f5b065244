import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

type ChoiceProps<T extends string> = {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, text: string])[]
  readonly isDisabled?: boolean
  readonly isLabelHidden?: boolean
  readonly onChange: (value: T) => void
}

/** One of a few. The label stands beside the select: around it, all options would be read as its name. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, value, options, isDisabled = false, isLabelHidden = false, onChange } = props
  const id = useId()
  const choose = (chosen: string) => {
    const [found] = options.find(([each]) => each === chosen) ?? []
    if (found !== undefined) onChange(found)
  }
  return (
    <div class="choice">
      <label for={id} class={isLabelHidden ? 'hidden' : ''}>
        {label}
      </label>
      <span class="select">
        <select id={id} disabled={isDisabled} onChange={(event) => choose(event.currentTarget.value)}>
          {options.map(([each, text]) => (
            <option value={each} selected={each === value}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </div>
  )
}
