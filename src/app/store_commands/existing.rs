//! Opens an existing store for a command, and checks that it is the one that the data folder names.

use std::path::Path;

use anyhow::bail;

use crate::store_identity::refuse_other_store;
use caravanserai_store::encrypted::OpenedStore;
use caravanserai_store::sled::SledOptions;
use caravanserai_store::store_address::StoreAddress;

/// Refuses a folder without a store: opening it would create a new one.
///
/// # Errors
/// When the address is a folder that holds no store.
pub(super) fn refuse_missing(address: &StoreAddress) -> anyhow::Result<()> {
    if let Some(folder) = address.folder()
        && !folder.join("store").is_dir()
    {
        bail!("{} holds no store", folder.display());
    }
    Ok(())
}

/// Opens an existing store to read and write, a folder with these options. `data_dir` is the folder
/// that names the store, if there is one.
///
/// # Errors
/// When there is no store, it cannot be opened, or it is not the one that `data_dir` names.
pub(super) async fn open_existing(
    address: &StoreAddress,
    data_dir: Option<&Path>,
    how: SledOptions,
) -> anyhow::Result<OpenedStore> {
    refuse_missing(address)?;
    let opened = address.open_to_serve(how).await?;
    if let Some(data_dir) = data_dir {
        refuse_other_store(data_dir, address, opened.store.as_ref()).await?;
    }
    Ok(opened)
}
