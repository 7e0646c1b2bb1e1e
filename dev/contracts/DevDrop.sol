// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// An ERC-721 like those that strangers drop on accounts: its name is an advertisement, and its URL
/// leads nowhere.
contract DevDrop is ERC721("Claim $5000 at claim-rewards.example", "CLAIM") {
    using Strings for uint256;

    uint256 public totalSupply;

    function mint(address[] calldata to) external {
        for (uint256 i = 0; i < to.length; i++) _mint(to[i], ++totalSupply);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return string.concat(
            'data:application/json,{"name":"Voucher ', tokenId.toString(),
            '","description":"Visit https://claim-rewards.example to claim your reward!","external_url":"https://claim-rewards.example"}'
        );
    }
}
