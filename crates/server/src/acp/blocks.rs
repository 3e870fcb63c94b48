//! Text, pictures and files, as people and agents exchange them.

use std::path::{Path, PathBuf};

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::Error;
use flightdeck_contract::chat::{Block, Chat};
use serde_json::{Value, json};

/// The longest text of one block that is kept.
const LONGEST_TEXT: usize = 256 * 1024;
/// The longest picture that is kept, in Base64.
const LONGEST_PICTURE: usize = 8 << 20;

/// What a person says, for the agent. What it does not take is refused before anything is sent.
pub(super) fn to_agent(content: &[Block], chat: &Chat, root: &Path) -> Result<Vec<Value>, Error> {
    let refused = |what: &str| Err(Error::invalid("content", format!("{} takes no {what}", chat.agent.title)));
    content
        .iter()
        .map(|block| match block {
            Block::Text { text } => Ok(json!({ "type": "text", "text": text })),
            Block::File { path, line, end_line } => Ok(link(root, path, *line, *end_line)),
            Block::Link { uri, name } => Ok(json!({ "type": "resource_link", "uri": uri, "name": name })),
            Block::Image { mime, data } if chat.accepts.images => {
                Ok(json!({ "type": "image", "mimeType": mime, "data": data }))
            }
            Block::Audio { mime, data } if chat.accepts.audio => {
                Ok(json!({ "type": "audio", "mimeType": mime, "data": data }))
            }
            Block::Image { .. } => refused("pictures"),
            Block::Audio { .. } => refused("sound"),
        })
        .collect()
}

/// A mention of a file. Every agent takes a link, and reads the file by its own means, which are ours where it likes.
fn link(root: &Path, path: &str, line: Option<u32>, end_line: Option<u32>) -> Value {
    let whole: PathBuf = root.join(path).components().collect();
    let lines = match (line, end_line) {
        (Some(from), Some(to)) if to > from => format!("#L{from}-L{to}"),
        (Some(line), _) => format!("#L{line}"),
        _ => String::new(),
    };
    let name = Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
    json!({ "type": "resource_link", "uri": format!("file://{}{lines}", encoded(&whole)), "name": name })
}

/// A path as it stands in an address.
fn encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let text = path.to_string_lossy();
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// What an agent shows.
pub(super) fn from_agent(block: &acp::ContentBlock) -> Option<Block> {
    Some(match block {
        acp::ContentBlock::Text(text) => Block::Text { text: cut(&text.text) },
        acp::ContentBlock::Image(image) if image.data.len() <= LONGEST_PICTURE => {
            Block::Image { mime: image.mime_type.clone(), data: image.data.clone() }
        }
        acp::ContentBlock::Image(image) => too_large("picture", image.data.len()),
        acp::ContentBlock::Audio(audio) if audio.data.len() <= LONGEST_PICTURE => {
            Block::Audio { mime: audio.mime_type.clone(), data: audio.data.clone() }
        }
        acp::ContentBlock::Audio(audio) => too_large("sound", audio.data.len()),
        acp::ContentBlock::ResourceLink(link) => Block::Link { uri: link.uri.clone(), name: link.name.clone() },
        acp::ContentBlock::Resource(resource) => match &resource.resource {
            acp::EmbeddedResourceResource::TextResourceContents(text) => Block::Text { text: cut(&text.text) },
            acp::EmbeddedResourceResource::BlobResourceContents(blob) => {
                Block::Link { uri: blob.uri.clone(), name: blob.uri.clone() }
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn too_large(what: &str, length: usize) -> Block {
    Block::Text { text: format!("[a {what} of {length} bytes, which is too large to be shown]") }
}

fn cut(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_TEXT);
    format!("{}\n[… {} bytes more]", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_linked_by_their_whole_path() {
        let root = Path::new("/w/my project");
        for (path, line, end, uri) in [
            ("src/a.rs", None, None, "file:///w/my%20project/src/a.rs"),
            ("./b.rs", Some(3), None, "file:///w/my%20project/b.rs#L3"),
            ("/w/my project/c", Some(3), Some(9), "file:///w/my%20project/c#L3-L9"),
        ] {
            assert_eq!(link(root, path, line, end)["uri"], uri);
        }
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        let text = "ü".repeat(LONGEST_TEXT);
        let cut = cut(&text);
        assert!(cut.len() < LONGEST_TEXT + 100 && cut.contains("bytes more"), "{}", cut.len());
    }
}
