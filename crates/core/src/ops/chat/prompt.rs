//! `flightdeck.chat.prompt`: says something to an agent.

use flightdeck_contract::Error;
use flightdeck_contract::chat::{Block, Prompt};

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

/// The most that one prompt holds.
const LARGEST: usize = 24 << 20;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.prompt",
        Effects { idempotent: false, ..Effects::WRITES },
        "Prompt an agent",
        "Says something to the agent of a conversation: text, mentions of files, pictures where the agent takes them. Returns \
         when the prompt is on its way; flightdeck.chat.watch tells what comes of it.",
    )
    .for_people()
    .unread(&["content"])
    .handle(|hub, call, prompt: Prompt| async move {
        let conversation = hub.conversations().get(prompt.id)?;
        check(&prompt.content)?;
        let (content, by) = (prompt.content, call.actor());
        conversation.order(|reply| Instruction::Prompt { content, by, reply }).await
    })
}

fn check(content: &[Block]) -> Result<(), Error> {
    let size = |block: &Block| match block {
        Block::Text { text } => text.len(),
        Block::Image { data, .. } | Block::Audio { data, .. } => data.len(),
        Block::File { path, .. } => path.len(),
        Block::Link { uri, name } => uri.len() + name.len(),
    };
    let says = |block: &Block| !matches!(block, Block::Text { text } if text.trim().is_empty());
    if !content.iter().any(says) {
        return Err(Error::invalid("content", "it is empty: say something"));
    }
    if content.iter().map(size).sum::<usize>() > LARGEST {
        return Err(Error::invalid("content", format!("it is more than {LARGEST} bytes")));
    }
    Ok(())
}
