/** What an agent says, as it is meant to be read. It is built of elements, so markup in it is shown and never obeyed. */

import { Component } from 'preact';
import { openFile } from '../../layout/actions';
import { type Block, blocksOf, piecesOf } from './blocks';
import { Code } from './Code';
import { type Inline, inlineOf } from './inline';
import './markdown.css';

export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown">
      {piecesOf(text).map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
    </div>
  );
}

/** While an agent speaks only its last block changes; the others are not read again. */
class Piece extends Component<{ text: string }> {
  override shouldComponentUpdate(next: { text: string }): boolean {
    return next.text !== this.props.text;
  }

  override render() {
    return <Blocks blocks={blocksOf(this.props.text)} />;
  }
}

function Blocks({ blocks, tight = false }: { blocks: Block[]; tight?: boolean }) {
  return (
    <>
      {blocks.map((block, index) => (
        <One key={index} block={block} tight={tight} />
      ))}
    </>
  );
}

function One({ block, tight }: { block: Block; tight: boolean }) {
  switch (block.is) {
    case 'text':
      return tight ? <Line text={block.text} /> : <p><Line text={block.text} /></p>;
    case 'heading':
      // The page has headings of its own; these are of the conversation.
      return (
        <div class="md-heading" role="heading" aria-level={Math.min(6, block.level + 2)} data-level={block.level}>
          <Line text={block.text} />
        </div>
      );
    case 'code':
      return <Code language={block.language} text={block.text} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.inner} />
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index} class={item.ticked === null ? undefined : 'md-task'}>
          {item.ticked !== null && (
            <span class={item.ticked ? 'ok' : 'dim'} role="img" aria-label={item.ticked ? 'done' : 'to do'}>
              {item.ticked ? '☑' : '☐'}{' '}
            </span>
          )}
          <Blocks blocks={item.inner} tight={item.inner.length === 1 || item.inner.every((one) => one.is !== 'text' || one === item.inner[0])} />
        </li>
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case 'table':
      return (
        <div class="md-table" tabIndex={0} role="region" aria-label="Table">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    <Line text={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {block.head.map((_, at) => (
                    <td key={at}>
                      <Line text={row[at] ?? ''} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
  }
}

function Line({ text }: { text: string }) {
  return <Spans spans={inlineOf(text)} />;
}

function Spans({ spans }: { spans: Inline[] }) {
  return (
    <>
      {spans.map((span, index) => {
        switch (span.is) {
          case 'text':
            return span.text;
          case 'code':
            return <code key={index}>{span.text}</code>;
          case 'strong':
            return <strong key={index}><Spans spans={span.inner} /></strong>;
          case 'em':
            return <em key={index}><Spans spans={span.inner} /></em>;
          case 'del':
            return <del key={index}><Spans spans={span.inner} /></del>;
          case 'break':
            return <br key={index} />;
          case 'link':
            return (
              <a key={index} href={span.href} target="_blank" rel="noopener noreferrer" title={span.href}>
                <Spans spans={span.inner} />
              </a>
            );
          case 'file':
            return (
              <button key={index} class="link" title={`Open ${span.path}`} onClick={() => void openFile(span.path, span.line)}>
                <Spans spans={span.inner} />
              </button>
            );
        }
      })}
    </>
  );
}
